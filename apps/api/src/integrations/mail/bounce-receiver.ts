import type { MailReport } from './reports/mail-report.ts'

/** Receives the reports of messages that a server accepted before it could not deliver them, and complaints. */
export type BounceReceiver = {
  /** Starts to receive and returns the port; null if it is off. Logs a taken port, for another worker may receive there. */
  start(): Promise<number | null>
  /** Records what has arrived, and ends every connection. */
  close(): Promise<void>
}

/** Records reports by the address that they are sent to. */
export type BounceHandler = {
  isReturnAddress(address: string): boolean
  /** Counts a report to one of these addresses. Returns whether it is within the limit of the address. */
  admit(address: string): boolean
  receive(address: string, report: MailReport): Promise<void>
}
