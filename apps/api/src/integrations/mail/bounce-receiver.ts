/** A mail server's report of a message that it could not deliver. */
export type BounceReport = {
  /** Whether retrying is useless. */
  isPermanent: boolean
  /** The status and the diagnosis, without addresses. */
  reason: string
}

/** Receives the bounces of messages that a server accepted before it could not deliver them. */
export type BounceReceiver = {
  /** Starts to receive and returns the port; null if it is off. Logs a taken port, for another worker may receive there. */
  start(): Promise<number | null>
  close(): Promise<void>
}

/** The receiver of bounces, by their return address. */
export type BounceHandler = {
  isReturnAddress(address: string): boolean
  receive(returnAddress: string, report: BounceReport): Promise<void>
}
