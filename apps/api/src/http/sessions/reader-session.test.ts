import { describe, expect, it } from 'vitest'
import { createSigner } from '#platform/signing.ts'
import { createReaderSessions } from './reader-session.ts'

const readerId = '0199a1f4-1111-4abc-8def-0123456789ab'
const sessions = createReaderSessions('a secret')

describe('createReaderSessions', () => {
  it('reads its own cookie', () => {
    expect(sessions.read(sessions.write(readerId))).toBe(readerId)
  })

  it.each([
    undefined,
    '',
    readerId,
    `${readerId}.`,
    `${readerId}.c2lnbmF0dXJl`,
    sessions.write(readerId).replace('0199a1f4', '0199a1f5'),
    sessions.write('no uuid'),
    sessions.write(`${readerId}' OR '1'='1`),
    createReaderSessions('another secret').write(readerId),
    createSigner('a secret', 'gate pass').sign(readerId),
  ])('rejects %j', (value) => {
    expect(sessions.read(value)).toBeNull()
  })
})
