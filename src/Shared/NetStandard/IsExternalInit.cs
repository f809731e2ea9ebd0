namespace System.Runtime.CompilerServices;

/// <summary>What the compiler needs for records and <c>init</c>, and .NET Standard 2.1 lacks.</summary>
internal static class IsExternalInit;
