namespace PlayChat.Core.Tests.Architecture.Samples.Upper;

[AttributeUsage(AttributeTargets.Class)]
internal sealed class TopAttribute : Attribute;
