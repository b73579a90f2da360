import { expect, it } from 'vitest'
import { readLogin } from './membership.ts'

it('reads the member, the session and the headers of later calls', () => {
  const claims = Buffer.from(JSON.stringify({ sub: 'mem_1', sid: 'session 1' })).toString('base64url')
  const accessToken = `head.${claims}.signature`
  const body = Buffer.from(JSON.stringify({ data: { tokens: { accessToken }, member: { id: 'mem_1' } } }))
  expect(readLogin({ body })).toEqual({
    memberId: 'mem_1',
    sessionId: 'session 1',
    headers: { 'X-API-Key': 'pk_bench', Authorization: `Bearer ${accessToken}` },
  })
})
