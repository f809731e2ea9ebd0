export const defaultLimits = {
    maxMessageBytes: 1024 * 1024,
    maxObjects: 65_536,
    maxItems: 1024 * 1024,
    maxTextBytes: 65_536,
    maxTotalText: 16 * 1024 * 1024,
    maxDepth: 16,
    maxTypes: 256,
};
