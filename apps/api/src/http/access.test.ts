import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../platform/errors.ts'
import { type AccessChecks, declarePublic, registerAccess } from './access.ts'

const refusing: AccessChecks = {
  gate: () => {
    throw new AppError('gate-required', 401, 'gate')
  },
  member: async () => {
    throw new AppError('login-required', 401, 'member')
  },
  editor: async () => undefined,
}

/** A small server with access checks, closed at the test's end. */
function createServer(checks: AccessChecks = refusing) {
  const app = Fastify()
  onTestFinished(() => app.close())
  app.setErrorHandler((error, _request, reply) => {
    void reply.code(401).send({ code: error instanceof AppError ? error.code : 'other' })
  })
  registerAccess(app, checks)
  return app
}

describe('registerAccess', () => {
  it('refuses to boot with a route that does not say who may call it, and names it', async () => {
    const app = createServer()
    app.get('/open', { config: { access: 'public' } }, async () => 'x')
    app.get('/forgotten', async () => 'x')
    await expect(app.ready()).rejects.toThrow('GET /forgotten')
  })

  it('refuses to boot with one inside a plugin, too', async () => {
    const app = createServer()
    await app.register(async (scope) => {
      scope.post('/inside', async () => 'x')
    })
    await expect(app.ready()).rejects.toThrow('POST /inside')
  })

  it('boots with routes of others that were opened as a whole', async () => {
    const app = createServer()
    await app.register(async (scope) => {
      declarePublic(scope)
      scope.get('/theirs', async () => 'x')
    })
    expect((await app.inject('/theirs')).body).toBe('x')
  })

  it.each([
    ['public', 200, 'x'],
    ['signed', 200, 'x'],
    ['editor', 200, 'x'],
    ['gate', 401, '{"code":"gate-required"}'],
    ['member', 401, '{"code":"login-required"}'],
  ] as const)('asks for %s', async (access, status, body) => {
    const app = createServer()
    app.get('/', { config: { access } }, async () => 'x')
    const reply = await app.inject('/')
    expect([reply.statusCode, reply.body]).toEqual([status, body])
  })

  it('asks for several in the order in which they are named', async () => {
    const app = createServer()
    app.get('/a', { config: { access: ['gate', 'member'] } }, async () => 'x')
    app.get('/b', { config: { access: ['editor', 'member', 'gate'] } }, async () => 'x')
    expect((await app.inject('/a')).json()).toEqual({ code: 'gate-required' })
    expect((await app.inject('/b')).json()).toEqual({ code: 'login-required' })
  })

  it('guards HEAD as it guards GET', async () => {
    const app = createServer()
    app.get('/', { config: { access: 'gate' } }, async () => 'x')
    expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(401)
  })
})
