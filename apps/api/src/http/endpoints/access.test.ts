import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '#platform/errors.ts'
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

/** Creates a server with access checks; it is closed when the test ends. */
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
  it('rejects a route without access at boot, and names it', async () => {
    const app = createServer()
    app.get('/open', { config: { access: 'public' } }, async () => 'x')
    app.get('/forgotten', async () => 'x')
    await expect(app.ready()).rejects.toThrow('GET /forgotten')
  })

  it('rejects a route without access inside a plugin', async () => {
    const app = createServer()
    await app.register(async (scope) => {
      scope.post('/inside', async () => 'x')
    })
    await expect(app.ready()).rejects.toThrow('POST /inside')
  })

  it("accepts a third-party plugin's routes that are declared public together", async () => {
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
  ] as const)('enforces %s', async (access, status, body) => {
    const app = createServer()
    app.get('/', { config: { access } }, async () => 'x')
    const reply = await app.inject('/')
    expect([reply.statusCode, reply.body]).toEqual([status, body])
  })

  it('checks several access levels in their declared order', async () => {
    const app = createServer()
    app.get('/a', { config: { access: ['gate', 'member'] } }, async () => 'x')
    app.get('/b', { config: { access: ['editor', 'member', 'gate'] } }, async () => 'x')
    expect((await app.inject('/a')).json()).toEqual({ code: 'gate-required' })
    expect((await app.inject('/b')).json()).toEqual({ code: 'login-required' })
  })

  it('checks HEAD like GET', async () => {
    const app = createServer()
    app.get('/', { config: { access: 'gate' } }, async () => 'x')
    expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(401)
  })
})
