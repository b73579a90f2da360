/** Who somebody is, as an identity provider vouches for them. */
export type Identity = {
  /** Never changes and is never given to somebody else at this provider. An address is neither. */
  subject: string
  email: string | null
  /** Whether the provider made sure that the address is theirs. False without an address. */
  emailVerified: boolean
  name: string | null
}

/** What ties one sign-in to the browser that began it. Random, kept by us until the callback, used once. */
export type FlowSecrets = { state: string; nonce: string; codeVerifier: string }

/** One sign-in to begin. `redirectUri` is the absolute address of our callback. */
export type IdentityFlow = FlowSecrets & { redirectUri: string }

/**
 * One sign-in to finish: the secrets and `redirectUri` it began with. `url` is the callback as it was called (only its
 * query is read, so a proxy's host does not matter), `body` its form when the callback came as a POST.
 */
export type IdentityCallback = FlowSecrets & {
  url: URL
  body?: URLSearchParams | undefined
  redirectUri: string
}

/** A place where people sign in elsewhere and come back to us. */
export type IdentityProvider = {
  /** As in addresses and in what we store: a-z, 0-9 and hyphens. */
  key: string
  /**
   * Whether the callback comes as a form posted from the provider's page. Such a request is cross-site: it carries
   * no cookie but one that says `SameSite=None; Secure`.
   */
  answersByPost: boolean
  /** Where to send the browser. Throws `IdentityUnavailableError`. */
  start(flow: IdentityFlow): Promise<URL>
  /** Who came back. Throws `IdentityRefusedError` or `IdentityUnavailableError`; either way the flow is over. */
  finish(callback: IdentityCallback): Promise<Identity>
}

/** All configured providers, by key, in the order in which they are shown. */
export type IdentityProviders = ReadonlyMap<string, IdentityProvider>

type ConfigOfAny = {
  /** a-z, 0-9 and hyphens; stands in the callback's address. */
  key: string
  /** As in 'Continue with …'. */
  name: string
  /** The address of a picture, or null. */
  icon: string | null
  clientId: string
}

type ConfigWithSecret = ConfigOfAny & { clientSecret: string }

/** One configured provider. `issuer` has no slash at its end unless the provider's own has. */
export type IdentityProviderConfig =
  | (ConfigWithSecret & {
      kind: 'oidc'
      issuer: string
      /** How the secret is handed over at the token endpoint. */
      clientAuthentication: 'client_secret_basic' | 'client_secret_post'
    })
  | (ConfigWithSecret & { kind: 'google' })
  /** `issuer`, default `https://login.microsoftonline.com/common/v2.0`: every tenant and personal accounts. */
  | (ConfigWithSecret & { kind: 'microsoft'; issuer?: string | undefined })
  /** `privateKey`: the .p8 file's text, PEM. Apple's client secret is made from the three. */
  | (ConfigOfAny & {
      kind: 'apple'
      teamId: string
      keyId: string
      privateKey: string
    })
  /** `siteUrl` and `apiUrl`: of a GitHub Enterprise. Default: `https://github.com` and `https://api.github.com`. */
  | (ConfigWithSecret & { kind: 'github'; siteUrl?: string | undefined; apiUrl?: string | undefined })

/**
 * Why nobody is signed in: the person said no (`cancelled`); the callback does not belong to this flow (`wrong-state`)
 * or to this provider (`wrong-issuer`); the provider refused otherwise (`refused`), or refused the code (`wrong-code`);
 * what it answered failed a check (`wrong-token`) or is no such answer at all (`wrong-answer`).
 */
export type IdentityRefusal =
  | 'cancelled'
  | 'wrong-state'
  | 'wrong-issuer'
  | 'refused'
  | 'wrong-code'
  | 'wrong-token'
  | 'wrong-answer'

/** The provider vouches for nobody. `reason` and `detail` carry nothing secret and may be logged. */
export class IdentityRefusedError extends Error {
  readonly reason: IdentityRefusal
  /** A word or two for whoever runs the site: which check failed, or the provider's own code. */
  readonly detail: string

  // No cause: the library's errors carry the answers they are about, tokens included.
  constructor(provider: string, reason: IdentityRefusal, detail: string = reason) {
    super(`The sign-in with ${provider} was refused: ${detail}.`)
    this.name = 'IdentityRefusedError'
    this.reason = reason
    this.detail = detail
  }
}

/**
 * Why a provider cannot be used now: no connection (`unreachable`), no answer in time (`timeout`), an answer of failure
 * (`provider-error`), or our settings, which it does not accept (`misconfigured`).
 */
export type IdentityOutage = 'unreachable' | 'timeout' | 'provider-error' | 'misconfigured'

/** The provider cannot be asked. `reason` and `detail` carry nothing secret and may be logged. */
export class IdentityUnavailableError extends Error {
  readonly reason: IdentityOutage
  readonly detail: string

  constructor(provider: string, reason: IdentityOutage, detail: string = reason) {
    super(`The sign-in with ${provider} is not available: ${detail}.`)
    this.name = 'IdentityUnavailableError'
    this.reason = reason
    this.detail = detail
  }
}
