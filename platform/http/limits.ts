/** Header fields of one request. The older binding of uWebSockets.js refuses more than 48. */
export const headersMax = 64;
/** Names and values together. */
export const headerBytesMax = 8 * 1024;
export const urlBytesMax = 2 * 1024;
/** Of a refused body that are received before the refusal is sent, and how long that may take. */
export const discardedBytesMax = 8 * 1024 * 1024;
export const discardedMs = 1_000;
export const tokenBytesMax = 8 * 1024;
export const jsonDepthMax = 32;
export const jsonArrayItemsMax = 1_000;
/** If a turn of the event loop has used more CPU time than this, requests that have not started are shed. */
export const turnBudgetMs = 25;
/** This many requests of a turn are served however long it takes. */
export const turnServedMin = 8;
/** Requests whose handlers run at the same time in one server. */
export const inflightMax = 1_024;
/** JSON answers from here on are compressed for clients that accept it. */
export const compressFromBytes = 1_024;
/** Larger answers are compressed off the event loop. */
export const compressInlineBytesMax = 16 * 1024;
export const validationErrorsMax = 20;
/** Files of a web bundle that are kept in memory, plain and compressed together. */
export const staticCacheBytesMax = 64 * 1024 * 1024;
export const staticFilesMax = 2_000;

export const socketsMax = 10_000;
export const socketsPerIdentityMax = 16;
export const socketPayloadBytesMax = 16 * 1024;
export const socketBackpressureBytesMax = 256 * 1024;
export const socketIdleS = 60;
export const socketHelloMs = 10_000;
export const socketMessagesPerS = 50;
export const socketMessageBurst = 100;
export const socketBadFramesMax = 10;
