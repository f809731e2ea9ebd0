namespace PlayChat.State;

/// <summary>A class as a snapshot describes it.</summary>
internal sealed class WireType(string name, SyncField[] fields)
{
    private readonly List<WireBinding> _bindings = [];

    internal string Name => name;

    internal SyncField[] Fields => fields;

    /// <summary>Finds out which field of the server is which one here.</summary>
    /// <param name="local">The class here; <see langword="null"/> if what is received is dropped.</param>
    internal WireBinding Bind(SyncType? local)
    {
        WireBinding? binding = _bindings.Find(known => known.Local == local);
        if (binding is null)
        {
            _bindings.Add(binding = new WireBinding(this, local));
        }

        return binding;
    }
}
