namespace PlayChat.Core.Tests.Architecture.Samples.Upper;

internal sealed class TopException : Exception;
