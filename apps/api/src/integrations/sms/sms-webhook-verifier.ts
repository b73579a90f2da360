/** Verifies the signature of a request of the SMS service, for the URL to which it was sent. */
export type SmsWebhookVerifier = (
  signature: string,
  url: string,
  fields: Readonly<Record<string, string>>,
) => boolean
