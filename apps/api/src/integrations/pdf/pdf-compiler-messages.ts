import type { PdfDocument } from './pdf-document.ts'
import type { PdfPictures } from './pdf-renderer.ts'

/** A document for the compiler, its child process. */
export type CompileRequest = { document: PdfDocument; pictures: PdfPictures }

/** The PDF, and why it isn't PDF/UA, if it isn't; or why there is none. */
export type CompileResponse = { pdf: Uint8Array; problem: string | null } | { error: string }

export function isCompileRequest(message: unknown): message is CompileRequest {
  return typeof message === 'object' && message !== null && 'document' in message && 'pictures' in message
}

export function isCompileResponse(message: unknown): message is CompileResponse {
  return typeof message === 'object' && message !== null && ('pdf' in message || 'error' in message)
}

/** The signal that ends a compiler which uses too much memory. Windows has few signals, and reports none. */
export const memorySignal = process.platform === 'win32' ? 'SIGKILL' : 'SIGUSR2'
