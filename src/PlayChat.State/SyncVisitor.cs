using System.ComponentModel;

namespace PlayChat.State;

/// <summary>Sees all that an object contains. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SyncVisitor
{
    private readonly Action<SyncObject> _onObject;
    private readonly Action<SyncCollection>? _onCollection;
    private readonly Action<string>? _onText;

    internal SyncVisitor(Action<SyncObject> onObject, Action<SyncCollection>? onCollection = null, Action<string>? onText = null) =>
        (_onObject, _onCollection, _onText) = (onObject, onCollection, onText);

    /// <summary>Sees a text, a list or map, or an object with all that is below it.</summary>
    public void Visit(object? value)
    {
        switch (value)
        {
            case SyncObject item:
                _onObject(item);
                item.Visit(this);
                break;
            case SyncCollection collection:
                _onCollection?.Invoke(collection);
                collection.VisitItems(this);
                break;
            case string text:
                _onText?.Invoke(text);
                break;
        }
    }
}
