// The answers of the admin API that the page uses; docs/reference/admin-api.md describes them.
export interface Figures {
    at: string;
    connections: number;
    sessions: number;
    away: number;
    rooms: number;
    messagesInPerSecond: number;
    messagesOutPerSecond: number;
    p50Ms: number | null;
    p99Ms: number | null;
    latencyCounts: number[];
    cpuPercent: number;
    workingSetBytes: number;
    gcPauseMs: number;
    slowConsumers: number;
    closed: number;
    chatQueued: number | null;
    databaseOperations: number | null;
    databaseMs: number | null;
    databaseFailures: number | null;
}

export interface Status {
    level: "ok" | "warning" | "critical";
    summary: string;
    warnings: { level: "warning" | "critical"; code: string; message: string }[];
    version: string;
    mode: string;
    startedAt: string;
    isDraining: boolean;
    maxConnections: number;
    endpoints: string[];
    database: string | null;
    figures: Figures;
}

export interface History {
    intervalSeconds: number;
    latencyBounds: string[];
    points: Figures[];
}

export interface Session {
    id: number;
    userName: string | null;
    address: string | null;
    state: string;
    ageSeconds: number;
    blockedSeconds: number;
    queuedBytes: number;
    maxQueuedBytes: number;
    bytesReceived: number;
    bytesSent: number;
    rooms: { id: number; name: string }[];
}

export interface Room {
    id: number;
    name: string;
    members: number;
    queuedJobs: number;
    jobsPerSecond: number | null;
}

export interface Closes {
    items: { at: string; userName: string | null; address: string | null; reason: string; explanation: string; ageSeconds: number }[];
    totals: Record<string, number>;
}

export interface Report {
    id: number;
    roomName: string;
    sequence: number;
    reporterName: string;
    reason: string;
    reportedAt: string;
    messages: { sequence: number; playerName: string; text: string }[];
}

export interface Webhook {
    name: string;
    address: string;
    waiting: number;
    oldestAt: string | null;
    deadLetters: number;
    failures: number;
    lastError: string | null;
    nextTryAt: string | null;
}

export interface DeadLetter {
    id: number;
    target: string;
    roomId: number;
    messages: number;
    failedAt: string;
    error: string;
}

export interface Recordings {
    items: { file: string; bytes: number; writtenAt: string; roomId: number | null }[];
    problem: string | null;
}

export interface RecordingEvent {
    number: number;
    atSeconds: number;
    turn: number;
    tick: number;
    kind: string;
    session: string | null;
    text: string;
    content: string | null;
}

export interface RecordingEvents extends Page<RecordingEvent> {
    roomName: string;
    roomType: string;
    startedAt: string;
    members: string[] | null;
    hasSamePackets: boolean;
    end: string | null;
}

export interface Page<Item> {
    items: Item[];
    nextAfter: number | null;
}
