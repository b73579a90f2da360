import { parentPort } from 'node:worker_threads'
import { readReport } from './read-report.ts'

/** The thread that reads reports, one after another. What strangers send may make it slow or fill its memory. */
parentPort?.on('message', (source: unknown) => {
  parentPort?.postMessage(source instanceof Uint8Array ? readReport(source) : null)
})
