const texts = {
  20003: { status: 401, message: 'Authenticate' },
  20404: { status: 404, message: 'The requested resource was not found' },
  20429: { status: 429, message: 'Too Many Requests' },
  20500: { status: 500, message: 'Internal Server Error' },
  21211: { status: 400, message: "Invalid 'To' Phone Number" },
  21603: { status: 400, message: "A 'From' phone number is required" },
  21602: { status: 400, message: 'Message body is required' },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient' },
  21614: { status: 400, message: "'To' number is not a valid mobile number" },
  21617: { status: 400, message: 'The concatenated message body exceeds the 1600 character limit' },
} as const

export type TwilioErrorCode = keyof typeof texts

/** An error as Twilio's API returns it. */
export class TwilioError extends Error {
  readonly status: number
  readonly body: Record<string, string | number>

  constructor(code: TwilioErrorCode) {
    const { status, message } = texts[code]
    super(message)
    this.status = status
    this.body = { code, message, status, more_info: `https://www.twilio.com/docs/errors/${code}` }
  }
}
