import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readForms } from '../http/forms.ts'
import { escapeHtml, sendPage } from '../http/html.ts'
import { isLocal } from '../http/local-address.ts'
import { emulatorClient } from './client.ts'
import { createNextFault, tokenFaults } from './faults.ts'
import { createLocalProvider, type LocalProvider } from './local-provider.ts'
import { loginPage, noticePage } from './login-page.ts'
import { readLoginForm, seededPeople } from './people.ts'

const base = '/identity'

type Options = { redirectOrigins: readonly string[] }

/**
 * Serves an OpenID Connect provider under `/identity`, whose issuer is the requested origin with that path. `POST
 * /identity/next` with `{ "fault": … }` spoils the next token response.
 */
export function addIdentityRoutes(app: FastifyInstance, { redirectOrigins }: Options): void {
  const nextFault = createNextFault(tokenFaults)
  const providers = new Map<string, LocalProvider>()

  function providerAt(issuer: string): LocalProvider {
    const provider = providers.get(issuer) ?? createLocalProvider({ issuer, redirectOrigins, nextFault })
    providers.set(issuer, provider)
    return provider
  }

  app.get(base, (request, reply) => {
    const people = Object.values(seededPeople).map(({ name, email }) => `${name} (${email})`)
    const paragraphs = [
      `An OpenID Connect provider for this machine only. Continue with it on the site to sign in as ${people.join(', ')} or anyone else.`,
      `Issuer ${issuerOf(request)}, client ${emulatorClient.id}, secret ${emulatorClient.secret}.`,
    ]
    return sendPage(reply, noticePage('Sign-in emulator', [...paragraphs.map(escapeHtml), inboxLink]))
  })

  app.post<{ Body: { fault?: unknown } | null }>(`${base}/next`, (request, reply) => {
    const problem = nextFault.set(request.body?.fault)
    if (!problem) return reply.code(204).send()
    return reply.code(400).send({ error: { code: 'bad-request', message: problem } })
  })

  app.register(async (forms) => {
    readForms(forms)
    forms.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const told = ['This sign-in has expired or was started in another browser.', escapeHtml(error.message)]
      return sendPage(reply.code(error.statusCode ?? 500), noticePage('Sign-in failed', told))
    })

    async function showLogin(
      request: FastifyRequest,
      reply: FastifyReply,
      refused?: { problem: string; form: URLSearchParams },
    ) {
      const { provider } = providerAt(issuerOf(request))
      const { params } = await provider.interactionDetails(request.raw, reply.raw)
      const redirectUri = String(params.redirect_uri)
      const hint = typeof params.login_hint === 'string' ? params.login_hint : undefined
      const action = request.url
      const page = loginPage({ emulates: 'an identity provider', action, redirectUri, hint, refused })
      return sendPage(reply, page.html, page.policy)
    }

    forms.get(`${base}/login/:uid`, (request, reply) => showLogin(request, reply))

    forms.post<{ Body: URLSearchParams }>(`${base}/login/:uid`, async (request, reply) => {
      const login = readLoginForm(request.body)
      if ('problem' in login) {
        return showLogin(request, reply.code(400), { problem: login.problem, form: request.body })
      }
      const { provider, people } = providerAt(issuerOf(request))
      const { person } = login
      if (person) people.set(person.subject, person)
      const result = person ? { login: { accountId: person.subject } } : { error: 'access_denied' }
      return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303)
    })
  })

  app.register(async (whole) => {
    // The provider parses bodies itself.
    whole.removeAllContentTypeParsers()
    whole.addContentTypeParser('*', (_request, _body, done) => done(null))
    whole.all(`${base}/*`, async (request, reply) => {
      const { provider } = providerAt(issuerOf(request))
      const { raw } = request
      reply.hijack()
      raw.headers.cookie = withoutSession(raw.headers.cookie)
      Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(base.length) })
      await provider.callback()(raw, reply.raw)
    })
  })
}

const inboxLink = '<a href="/inbox">The inbox</a>'

function issuerOf(request: FastifyRequest): string {
  const url = URL.parse(`http://${request.host}${base}`)
  if (url && isLocal(url)) return url.href
  throw new NotLocalError()
}

class NotLocalError extends Error {
  readonly statusCode = 421

  constructor() {
    super('The local provider only serves the names of this machine.')
  }
}

/** Removes the provider's session cookie, so that each sign-in asks for the person again. */
function withoutSession(cookies = ''): string {
  return cookies
    .split(/; */)
    .filter((cookie) => !cookie.startsWith('_session'))
    .join('; ')
}
