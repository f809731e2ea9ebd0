namespace System.Runtime.CompilerServices;

/// <summary>What the compiler asks for in records, and .NET Standard 2.0 does not have.</summary>
internal static class IsExternalInit;
