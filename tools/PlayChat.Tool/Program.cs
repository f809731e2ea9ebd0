using PlayChat.Tool;

return await Commands.Create().Parse(args).InvokeAsync();
