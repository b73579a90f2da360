/** An upload in a temporary file. `hash` is the SHA-256 of its bytes in hexadecimal. Disposing deletes the file. */
export type UploadedFile = AsyncDisposable & { path: string; bytes: number; hash: string }

/** Receives uploads into temporary files, so that waiting uploads take no memory. */
export type UploadSpool = {
  /** Stores a stream. Throws its error, and `service-unavailable` for a full disk; then no file is left. */
  receive(stream: AsyncIterable<Uint8Array>): Promise<UploadedFile>
}
