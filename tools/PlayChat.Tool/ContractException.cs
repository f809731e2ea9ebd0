namespace PlayChat.Tool;

/// <summary>Says what is wrong with an assembly or its messages, and what to do: for people, without a stack trace.</summary>
internal sealed class ContractException(string message) : Exception(message);
