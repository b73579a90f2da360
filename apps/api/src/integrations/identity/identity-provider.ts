/** A person, as an identity provider identifies them. */
export type Identity = {
  /** Permanent and unique at this provider, unlike an email address. */
  subject: string
  email: string | null
  /** Whether the provider has verified that the address is theirs. False without an address. */
  emailVerified: boolean
  name: string | null
}

/** The random secrets that bind one sign-in to its browser. Stored until the callback, and used once. */
export type FlowSecrets = { state: string; nonce: string; codeVerifier: string }

/** `redirectUri` is the absolute URL of our callback. */
export type IdentityFlow = FlowSecrets & { redirectUri: string }

/** `url` is the callback's, of which only the query is read; `body` is its form if the provider posted one. */
export type IdentityCallback = IdentityFlow & { url: URL; body?: URLSearchParams | undefined }

export type IdentityProvider = {
  /** As in URLs and stored rows: a-z, 0-9 and hyphens. */
  key: string
  /** Whether the callback is a form posted across sites, which carries only cookies with `SameSite=None; Secure`. */
  usesFormPost: boolean
  /** Returns the URL to send the browser to. Throws `IdentityUnavailableError`. */
  start(flow: IdentityFlow): Promise<URL>
  /** Returns who signed in. Throws `IdentityRefusedError` or `IdentityUnavailableError`; both end the flow. */
  finish(callback: IdentityCallback): Promise<Identity>
}

/** All configured providers by key, in display order. */
export type IdentityProviders = ReadonlyMap<string, IdentityProvider>

/** `key` is part of the callback's URL; `name` is shown in 'Continue with …'; `icon` is an image's URL. */
type PublicClient = { key: string; name: string; icon: string | null; clientId: string }
type SecretClient = PublicClient & { clientSecret: string }

/** The settings of one provider. `issuer` ends without a slash unless the provider's own has one. */
export type IdentityProviderConfig =
  | (SecretClient & {
      kind: 'oidc'
      issuer: string
      clientAuthentication: 'client_secret_basic' | 'client_secret_post'
    })
  | (SecretClient & { kind: 'google' })
  /** `issuer` defaults to `https://login.microsoftonline.com/common/v2.0`: every tenant and personal accounts. */
  | (SecretClient & { kind: 'microsoft'; issuer?: string | undefined })
  /** `privateKey` is the PEM text of the .p8 file. The three sign Apple's client secret. */
  | (PublicClient & { kind: 'apple'; teamId: string; keyId: string; privateKey: string })
  /** `siteUrl` and `apiUrl` are those of a GitHub Enterprise server, and default to GitHub's own. */
  | (SecretClient & { kind: 'github'; siteUrl?: string | undefined; apiUrl?: string | undefined })

/**
 * `wrong-state` and `wrong-issuer`: the callback is another flow's or another provider's. `wrong-token`: a claim failed its
 * check. `malformed-response`: the response has another format.
 */
export type IdentityRefusal =
  | 'cancelled'
  | 'wrong-state'
  | 'wrong-issuer'
  | 'refused'
  | 'wrong-code'
  | 'wrong-token'
  | 'malformed-response'

/** `provider-error`: the provider responded with an error. `misconfigured`: it rejected our settings. */
export type IdentityOutage = 'unreachable' | 'timeout' | 'provider-error' | 'misconfigured'

// No cause: the library's errors contain responses with tokens.
class IdentityError<Reason extends string> extends Error {
  /** Contains no secret and may be logged, like `detail`. */
  readonly reason: Reason
  /** The check that failed, or the provider's own error code. */
  readonly detail: string

  constructor(provider: string, reason: Reason, detail: string = reason) {
    super(`Sign-in with ${provider} failed: ${detail}`)
    this.name = new.target.name
    this.reason = reason
    this.detail = detail
  }
}

/** The sign-in was refused, by the person, the provider or a check of ours. */
export class IdentityRefusedError extends IdentityError<IdentityRefusal> {}

/** The provider can't be used now. */
export class IdentityUnavailableError extends IdentityError<IdentityOutage> {}
