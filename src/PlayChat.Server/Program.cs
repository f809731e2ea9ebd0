return await PlayChat.Chat.ChatProgram.RunAsync(args);
