namespace System.Diagnostics;

/// <summary>What .NET Standard 2.1 lacks.</summary>
internal sealed class UnreachableException : Exception;
