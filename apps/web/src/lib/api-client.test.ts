import { HttpResponse, http } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer, refuse } from '../testing/api-handlers.ts'
import { getJson, postJson, RefusedError, UnreachableError, UnreadableReplyError } from './api-client.ts'

const readText = (body: unknown) => (typeof body === 'string' ? body : null)

describe('getJson', () => {
  it('answers what the reader makes of the reply', async () => {
    apiServer.use(http.get('/thing', () => HttpResponse.json('a thing')))
    await expect(getJson('/thing', readText)).resolves.toBe('a thing')
  })

  it('throws the server’s refusal with its status and code', async () => {
    apiServer.use(http.get('/thing', () => refuse(404, 'edition-not-found', 'There is no such edition')))
    const failure = await getJson('/thing', readText).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RefusedError)
    expect(failure).toMatchObject({
      status: 404,
      code: 'edition-not-found',
      message: 'There is no such edition',
    })
  })

  it('gives a refusal without the common shape an unknown code', async () => {
    apiServer.use(http.get('/thing', () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })))
    await expect(getJson('/thing', readText)).rejects.toMatchObject({ status: 502, code: 'unknown-error' })
  })

  it('tells a reply of another shape', async () => {
    apiServer.use(http.get('/thing', () => HttpResponse.json({ not: 'a text' })))
    await expect(getJson('/thing', readText)).rejects.toBeInstanceOf(UnreadableReplyError)
  })

  it('tells that no answer came', async () => {
    apiServer.use(http.get('/thing', () => HttpResponse.error()))
    await expect(getJson('/thing', readText)).rejects.toBeInstanceOf(UnreachableError)
  })
})

describe('postJson', () => {
  it('sends the body as JSON', async () => {
    apiServer.use(
      http.post('/thing', async ({ request }) => HttpResponse.json(JSON.stringify(await request.json()))),
    )
    await expect(postJson('/thing', { id: 'a' }, readText)).resolves.toBe('{"id":"a"}')
  })
})
