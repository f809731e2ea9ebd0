using System.Text.Json.Serialization;

namespace PlayChat.Core.Tests.Packets;

/// <summary>A message that is one of several kinds, told apart by a discriminator.</summary>
[JsonDerivedType(typeof(JsonCircle), "circle")]
internal abstract record JsonShape;
