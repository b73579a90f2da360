import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readForms } from '../http/forms.ts'
import { sendPage } from '../http/html.ts'
import { emulatorClient, isCallback } from './client.ts'
import { createNextFault } from './faults.ts'
import { createGrants, type Grant, type Grants } from './grants.ts'
import { loginPage, noticePage } from './login-page.ts'
import { readLoginForm } from './people.ts'

type Options = { redirectOrigins: readonly string[] }
type AuthorizeQuery = Partial<
  Record<'client_id' | 'redirect_uri' | 'state' | 'scope' | 'code_challenge', string>
>

const authorizePath = '/github/login/oauth/authorize'
// The API of github.com and of a GitHub Enterprise server.
const apiBases = ['/github', '/github/api/v3']

/**
 * Serves GitHub's sign-in (OAuth 2 with PKCE) and its user API under `/github`. A refused code gets status 200, as
 * at GitHub. `POST /github/next` with `{ "fault": "server-error" | "slow" }` spoils the next token response.
 */
export function addGithubRoutes(app: FastifyInstance, { redirectOrigins }: Options): void {
  const nextFault = createNextFault(['server-error', 'slow'])
  const codes = createGrants('code')
  const tokens = createGrants('gho')

  app.post<{ Body: { fault?: unknown } | null }>('/github/next', (request, reply) => {
    const problem = nextFault.set(request.body?.fault)
    if (!problem) return reply.code(204).send()
    return reply.code(400).send({ error: { code: 'bad-request', message: problem } })
  })

  app.register(async (forms) => {
    readForms(forms)

    function showLogin(
      request: FastifyRequest<{ Querystring: AuthorizeQuery }>,
      reply: FastifyReply,
      refused?: { problem: string; form: URLSearchParams },
    ) {
      const { client_id: clientId, redirect_uri: redirectUri = '' } = request.query
      if (clientId !== emulatorClient.id || !isCallback(redirectUri, redirectOrigins)) {
        const told = ['Unknown client, or a redirect address that is not allowed.']
        return sendPage(reply.code(400), noticePage('Sign-in failed', told))
      }
      const page = loginPage({ emulates: 'GitHub', action: request.url, redirectUri, refused })
      return sendPage(reply, page.html, page.policy)
    }

    forms.get<{ Querystring: AuthorizeQuery }>(authorizePath, (request, reply) => showLogin(request, reply))

    forms.post<{ Querystring: AuthorizeQuery; Body: URLSearchParams }>(authorizePath, (request, reply) => {
      const { client_id: clientId, redirect_uri: redirectUri = '', state, scope = '' } = request.query
      if (clientId !== emulatorClient.id || !isCallback(redirectUri, redirectOrigins)) {
        return showLogin(request, reply)
      }
      const login = readLoginForm(request.body)
      if ('problem' in login) {
        return showLogin(request, reply.code(400), { problem: login.problem, form: request.body })
      }
      const { person } = login
      const back = new URL(redirectUri)
      if (person) {
        const challenge = request.query.code_challenge
        back.searchParams.set('code', codes.keep({ person, redirectUri, challenge, scope }))
      } else {
        back.searchParams.set('error', 'access_denied')
        back.searchParams.set('error_description', 'The user has denied your application access.')
      }
      if (state !== undefined) back.searchParams.set('state', state)
      return reply.redirect(back.href, 303)
    })

    forms.post<{ Body: URLSearchParams }>('/github/login/oauth/access_token', async (request, reply) => {
      const fault = nextFault.take()
      if (fault === 'slow') {
        reply.hijack()
        return
      }
      if (fault === 'server-error') return reply.code(503).send({ message: 'Service unavailable' })
      const form = request.body
      if (
        form.get('client_id') !== emulatorClient.id ||
        form.get('client_secret') !== emulatorClient.secret
      ) {
        return { error: 'incorrect_client_credentials' }
      }
      const code = form.get('code') ?? ''
      const grant = codes.take(code)
      if (!grant || !provesChallenge(grant, form.get('code_verifier')))
        return { error: 'bad_verification_code' }
      if (form.get('redirect_uri') !== grant.redirectUri) return { error: 'redirect_uri_mismatch' }
      return { access_token: tokens.keep(grant), token_type: 'bearer', scope: grant.scope }
    })
  })

  addUserApi(app, tokens)
}

/** Serves the user API, which takes an access token. */
function addUserApi(app: FastifyInstance, tokens: Pick<Grants, 'find'>): void {
  for (const base of apiBases) {
    app.get(`${base}/user`, (request, reply) => {
      const grant = tokens.find(tokenOf(request))
      if (!grant) return reply.code(401).send({ message: 'Bad credentials' })
      const { subject, name } = grant.person
      const id = Number.parseInt(subject.slice(0, 8), 16)
      return reply.send({ id, login: `person-${id}`, name, email: null })
    })

    app.get(`${base}/user/emails`, (request, reply) => {
      const grant = tokens.find(tokenOf(request))
      if (!grant) return reply.code(401).send({ message: 'Bad credentials' })
      const isAllowed = grant.scope.split(/[ ,]/).includes('user:email')
      if (!isAllowed) return reply.code(404).send({ message: 'Not Found' })
      const { email, emailVerified: verified } = grant.person
      const other = { email: 'other@users.github.example', primary: false, verified: true, visibility: null }
      return reply.send(email ? [other, { email, primary: true, verified, visibility: 'private' }] : [])
    })
  }
}

function tokenOf(request: FastifyRequest): string {
  return request.headers.authorization?.replace(/^bearer /i, '') ?? ''
}

function provesChallenge({ challenge }: Grant, verifier: string | null): boolean {
  if (challenge === undefined) return true
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  )
}
