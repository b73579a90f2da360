import { z } from 'zod'

const base64url = z.string().regex(/^[\w-]+$/, 'must be base64url')
const credential = {
  id: base64url.max(1_400),
  rawId: base64url.max(1_400),
  type: z.literal('public-key'),
}

/** The result of `navigator.credentials.create`, by its `toJSON`. */
export const passkeyCreation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url.max(4_000),
    attestationObject: base64url.max(20_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
})
export type PasskeyCreation = z.infer<typeof passkeyCreation>

/** The result of `navigator.credentials.get`, by its `toJSON`. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url.max(4_000),
    authenticatorData: base64url.max(4_000),
    signature: base64url.max(2_000),
  }),
})
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>

/** Options for `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptions = z.looseObject({
  challenge: z.string(),
  rp: z.looseObject({ id: z.string(), name: z.string() }),
  user: z.looseObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
})
/** Options for `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptions = z.looseObject({ challenge: z.string(), rpId: z.string() })
