import { getTimeList, likeMemo, listArchive } from '@tidings/contracts/routes'
import { HttpResponse, http } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { errorResponse } from '#testing/fake.ts'
import { ApiError, call, callUnparsed, InvalidReplyError, NetworkError } from './api-client.ts'

const list = [{ date: '11-20-26', time_stamp: '10AM' }]

describe('call', () => {
  it('returns the reply', async () => {
    apiServer.use(http.get('/edition/prod/get_list', () => HttpResponse.json(list)))
    await expect(call(listArchive, {})).resolves.toEqual(list)
  })

  it('sends no headers of its own without a token', async () => {
    const sent: Headers[] = []
    apiServer.use(
      http.get('/edition/prod/get_list', ({ request }) => {
        sent.push(request.headers)
        return HttpResponse.json(list)
      }),
    )
    await call(listArchive, {})
    await call(listArchive, {}, { token: 'token-of-ada' })
    expect(sent.map((headers) => headers.get('authorization'))).toEqual([null, 'Bearer token-of-ada'])
    expect(sent.map((headers) => headers.has('content-type'))).toEqual([false, false])
  })

  it('fills the path', async () => {
    const reply = { date: '11-20-26', timeStamp: ['10AM'] }
    apiServer.use(http.get('/edition/prod/get_time_list/11-20-26', () => HttpResponse.json(reply)))
    await expect(call(getTimeList, { params: { date: '11-20-26' } })).resolves.toEqual(reply)
  })

  it('sends the body as JSON', async () => {
    const body = { id: '00000000-0000-4000-8000-000000000001', add: true }
    apiServer.use(
      http.post('/edition/update_counter', async ({ request }) => {
        expect(await request.json()).toEqual(body)
        return HttpResponse.json({ id: body.id, counter: 3 })
      }),
    )
    await expect(call(likeMemo, { body })).resolves.toEqual({ id: body.id, counter: 3 })
  })

  it('throws the status, code and message of an error reply', async () => {
    const refuse = () => errorResponse(404, 'edition-not-found', 'No such edition')
    apiServer.use(http.get('/edition/prod/get_list', refuse))
    const failure = await call(listArchive, {}).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 404, code: 'edition-not-found', message: 'No such edition' })
  })

  it('gives an error reply of another shape an unknown code', async () => {
    const page = () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })
    apiServer.use(http.get('/edition/prod/get_list', page))
    await expect(call(listArchive, {})).rejects.toMatchObject({ status: 502, code: 'unknown-error' })
  })

  it.each([
    ['that differs from the contract', () => HttpResponse.json([{ date: '11-20-26' }])],
    ['that is the page of a hotel’s network', () => new HttpResponse('<h1>Welcome</h1>')],
  ])('rejects a reply %s', async (_, reply) => {
    apiServer.use(http.get('/edition/prod/get_list', reply))
    await expect(call(listArchive, {})).rejects.toBeInstanceOf(InvalidReplyError)
  })

  it('throws a NetworkError when no reply arrives', async () => {
    apiServer.use(http.get('/edition/prod/get_list', () => HttpResponse.error()))
    await expect(call(listArchive, {})).rejects.toBeInstanceOf(NetworkError)
  })
})

describe('callUnparsed', () => {
  it('returns a reply that differs from the contract', async () => {
    apiServer.use(http.get('/edition/prod/get_list', () => HttpResponse.json(['other'])))
    await expect(callUnparsed(listArchive, {})).resolves.toEqual(['other'])
  })
})
