namespace PlayChat.Chat.Configuration;

/// <summary>How OTLP is carried.</summary>
internal enum OtlpProtocol
{
    /// <summary>gRPC, usually port 4317.</summary>
    Grpc,

    /// <summary>Protobuf over HTTP, usually port 4318.</summary>
    HttpProtobuf,
}
