import { HttpResponse, http } from 'msw/http'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { apiServer, errorResponse } from '#testing/api-handlers.ts'
import { ApiError, getJson, InvalidReplyError, NetworkError, postJson } from './api-client.ts'

describe('getJson', () => {
  it('returns the parsed reply', async () => {
    apiServer.use(http.get('/thing', () => HttpResponse.json('a thing')))
    await expect(getJson('/thing', z.string())).resolves.toBe('a thing')
  })

  it('throws the status, code and message of an error reply', async () => {
    apiServer.use(http.get('/thing', () => errorResponse(404, 'edition-not-found', 'No such edition')))
    const failure = await getJson('/thing', z.string()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 404, code: 'edition-not-found', message: 'No such edition' })
  })

  it('gives an error reply of another shape an unknown code', async () => {
    apiServer.use(http.get('/thing', () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })))
    await expect(getJson('/thing', z.string())).rejects.toMatchObject({ status: 502, code: 'unknown-error' })
  })

  it('rejects a reply that does not match the schema', async () => {
    apiServer.use(http.get('/thing', () => HttpResponse.json({ not: 'a text' })))
    await expect(getJson('/thing', z.string())).rejects.toBeInstanceOf(InvalidReplyError)
  })

  it('throws a NetworkError when no reply arrives', async () => {
    apiServer.use(http.get('/thing', () => HttpResponse.error()))
    await expect(getJson('/thing', z.string())).rejects.toBeInstanceOf(NetworkError)
  })
})

describe('postJson', () => {
  it('sends the body as JSON', async () => {
    apiServer.use(
      http.post('/thing', async ({ request }) => HttpResponse.json(JSON.stringify(await request.json()))),
    )
    await expect(postJson('/thing', { id: 'a' }, z.string())).resolves.toBe('{"id":"a"}')
  })
})
