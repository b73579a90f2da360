type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Verifies the signature and age of a mail service's event and returns its id; null if it is not valid. */
export type WebhookVerifier = (body: Buffer, headers: Headers) => string | null
