using System.Globalization;

namespace PlayChat.Storage.Sql;

/// <summary>The tables of the chat, in the words of one database.</summary>
/// <remarks>A database without a word of its own for something leaves it out or takes a wider one: SQLite has two types.</remarks>
/// <param name="Long">An integer of 64 bits.</param>
/// <param name="Int">An integer of 32 bits.</param>
/// <param name="Bool">True or false.</param>
/// <param name="Time">A time in UTC, to the microsecond.</param>
/// <param name="LongText">Text of any length.</param>
/// <param name="ShortText">Text of at most <c>{0}</c> characters.</param>
/// <param name="ByteText">As <paramref name="ShortText"/>, compared byte by byte, whatever the database's collation.</param>
/// <param name="NameKey">The key of a name, compared byte by byte.</param>
/// <param name="ClaimKey">The key of a room's claim.</param>
/// <param name="Identity">A primary key whose values the database counts.</param>
/// <param name="False">The value.</param>
/// <param name="ByKey">Ends a table whose rows are kept in the order of the key.</param>
internal sealed record ChatSchema(
    string Long, string Int, string Bool, string Time, string LongText, string ShortText, string ByteText, string NameKey, string ClaimKey,
    string Identity, string False = "0", string ByKey = "")
{
    /// <summary>Step n brings a database from version n to n + 1. Released steps never change; add at the end.</summary>
    public IReadOnlyList<string> Steps() =>
    [
        $"""
        CREATE TABLE account (
            id            {Identity},
            name          {Text(256)} NOT NULL,
            name_key      {NameKey} NOT NULL UNIQUE,
            password_hash {LongText} NULL,
            created_at    {Time} NOT NULL,
            last_login_at {Time} NULL,
            disabled      {Bool} NOT NULL DEFAULT {False}
        );
        CREATE TABLE chat_log (
            room_id     {Long} NOT NULL,
            sequence    {Long} NOT NULL,
            player_id   {Long} NOT NULL,
            player_name {LongText} NOT NULL,
            text        {LongText} NOT NULL,
            sent_at     {Time} NOT NULL,
            room_name   {LongText} NULL,
            PRIMARY KEY (room_id, sequence)
        );
        CREATE TABLE room (
            room_id       {Long} NOT NULL PRIMARY KEY,
            room_name     {LongText} NULL,
            last_sequence {Long} NOT NULL,
            created_at    {Time} NULL,
            room_state    {Int} NOT NULL DEFAULT 0
        );
        """,
        $"""
        CREATE TABLE resume_token (
            player_id      {Long} NOT NULL PRIMARY KEY REFERENCES account (id),
            newest_hash    {Key(128)} NOT NULL UNIQUE,
            used_hash      {Key(128)} NULL,
            close_is_leave {Bool} NOT NULL,
            expires_at     {Time} NOT NULL
        );
        CREATE INDEX resume_token_used ON resume_token (used_hash);
        """,
        $"""
        CREATE TABLE database_owner (
            row_id     {Int} NOT NULL PRIMARY KEY,
            owner_id   {Text(64)} NOT NULL,
            machine    {Text(256)} NOT NULL,
            process_id {Int} NOT NULL,
            started_at {Time} NOT NULL
        );
        ALTER TABLE chat_log ADD client_message_id {Long} NULL;
        """,
        $"""
        ALTER TABLE account ADD token_version {Int} NOT NULL DEFAULT 0;
        ALTER TABLE resume_token ADD token_version {Int} NOT NULL DEFAULT 0;
        """,
        $"""
        CREATE TABLE ban (
            id          {Identity},
            kind        {Int} NOT NULL,
            subject_key {NameKey} NOT NULL,
            subject     {Text(256)} NOT NULL,
            reason      {LongText} NOT NULL,
            created_at  {Time} NOT NULL,
            expires_at  {Time} NULL,
            UNIQUE (kind, subject_key)
        );
        """,
        $"ALTER TABLE room ADD attributes {LongText} NULL",
        $"""
        CREATE TABLE room_member (
            room_id         {Long} NOT NULL,
            player_id       {Long} NOT NULL,
            player_name     {Text(256)} NOT NULL,
            member_role     {Int} NOT NULL,
            read_sequence   {Long} NOT NULL,
            unread_mentions {Int} NOT NULL,
            muted_until     {Time} NULL,
            banned_until    {Time} NULL,
            PRIMARY KEY (room_id, player_id)
        ){ByKey};
        CREATE INDEX room_member_player ON room_member (player_id, room_id);
        ALTER TABLE chat_log ADD edited_at {Time} NULL;
        """,
        $"""
        CREATE TABLE chat_reaction (
            room_id    {Long} NOT NULL,
            sequence   {Long} NOT NULL,
            emoji      {Key(32)} NOT NULL,
            player_id  {Long} NOT NULL,
            reacted_at {Time} NOT NULL,
            PRIMARY KEY (room_id, sequence, emoji, player_id)
        ){ByKey};
        """,
        $"""
        CREATE TABLE direct_message (
            low_id            {Long} NOT NULL,
            high_id           {Long} NOT NULL,
            number            {Long} NOT NULL,
            from_id           {Long} NOT NULL,
            text              {LongText} NOT NULL,
            sent_at           {Time} NOT NULL,
            client_message_id {Long} NULL,
            PRIMARY KEY (low_id, high_id, number)
        ){ByKey};
        CREATE UNIQUE INDEX direct_message_client ON direct_message (low_id, high_id, from_id, client_message_id)
            WHERE client_message_id IS NOT NULL;
        CREATE INDEX direct_message_sent ON direct_message (sent_at);
        CREATE TABLE direct_conversation (
            player_id    {Long} NOT NULL,
            partner_id   {Long} NOT NULL,
            partner_name {Text(256)} NOT NULL,
            last_number  {Long} NOT NULL,
            read_number  {Long} NOT NULL,
            last_at      {Time} NOT NULL,
            PRIMARY KEY (player_id, partner_id)
        ){ByKey};
        CREATE INDEX direct_conversation_last ON direct_conversation (player_id, last_at);
        CREATE TABLE blocked_player (
            player_id    {Long} NOT NULL,
            blocked_id   {Long} NOT NULL,
            blocked_name {Text(256)} NOT NULL,
            blocked_at   {Time} NOT NULL,
            PRIMARY KEY (player_id, blocked_id)
        ){ByKey};
        """,
        $"""
        CREATE TABLE session_token (
            newest_hash    {Key(128)} NOT NULL PRIMARY KEY,
            player_id      {Long} NOT NULL REFERENCES account (id),
            used_hash      {Key(128)} NULL,
            close_is_leave {Bool} NOT NULL,
            expires_at     {Time} NOT NULL,
            token_version  {Int} NOT NULL
        ){ByKey};
        INSERT INTO session_token (newest_hash, player_id, used_hash, close_is_leave, expires_at, token_version)
        SELECT newest_hash, player_id, used_hash, close_is_leave, expires_at, token_version FROM resume_token;
        DROP TABLE resume_token;
        CREATE INDEX session_token_used ON session_token (used_hash);
        CREATE INDEX session_token_player ON session_token (player_id);
        """,
        $"""
        CREATE TABLE login_token (
            id             {Long} NOT NULL PRIMARY KEY,
            player_id      {Long} NOT NULL REFERENCES account (id),
            newest_hash    {Key(128)} NOT NULL,
            used_hash      {Key(128)} NULL,
            token_version  {Int} NOT NULL,
            created_at     {Time} NOT NULL,
            used_at        {Time} NOT NULL,
            client_version {Text(64)} NOT NULL
        );
        CREATE INDEX login_token_player ON login_token (player_id);
        CREATE INDEX login_token_used ON login_token (used_at);
        ALTER TABLE session_token ADD login_token_id {Long} NOT NULL DEFAULT 0;
        """,
        $"""
        CREATE TABLE room_report (
            id            {Identity},
            room_id       {Long} NOT NULL,
            room_name     {Text(256)} NOT NULL,
            sequence      {Long} NOT NULL,
            reporter_id   {Long} NOT NULL,
            reporter_name {Text(256)} NOT NULL,
            reason        {LongText} NOT NULL,
            reported_at   {Time} NOT NULL,
            said_at       {Time} NOT NULL,
            resolved_at   {Time} NULL,
            resolver_id   {Long} NULL,
            note          {LongText} NULL,
            UNIQUE (room_id, sequence, reporter_id)
        );
        CREATE INDEX room_report_reporter ON room_report (reporter_id);
        CREATE INDEX room_report_said ON room_report (said_at);
        CREATE TABLE report_line (
            report_id   {Long} NOT NULL,
            sequence    {Long} NOT NULL,
            player_id   {Long} NOT NULL,
            player_name {Text(256)} NOT NULL,
            text        {LongText} NOT NULL,
            sent_at     {Time} NOT NULL,
            PRIMARY KEY (report_id, sequence)
        );
        CREATE INDEX report_line_player ON report_line (player_id);
        CREATE INDEX report_line_sent ON report_line (sent_at);
        """,
        $"""
        CREATE TABLE room_claim (
            claim_key  {ClaimKey} NOT NULL PRIMARY KEY,
            room_id    {Long} NOT NULL,
            creator_id {Long} NOT NULL
        ){ByKey};
        CREATE INDEX room_claim_room ON room_claim (room_id);
        CREATE INDEX room_claim_creator ON room_claim (creator_id);
        """,
        $"""
        CREATE TABLE room_mention (
            room_id   {Long} NOT NULL,
            player_id {Long} NOT NULL,
            sequence  {Long} NOT NULL,
            PRIMARY KEY (room_id, player_id, sequence)
        ){ByKey};
        ALTER TABLE room_member DROP COLUMN unread_mentions;
        """,
    ];

    private string Text(int length) => string.Format(CultureInfo.InvariantCulture, ShortText, length);

    private string Key(int length) => string.Format(CultureInfo.InvariantCulture, ByteText, length);
}
