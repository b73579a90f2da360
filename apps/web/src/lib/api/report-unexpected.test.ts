import { MembershipError } from '@tidings/client'
import { describe, expect, it, vi } from 'vitest'
import { NetworkError } from './api-client.ts'
import { reportUnexpected } from './report-unexpected.ts'

describe('an error after which the page continues', () => {
  it.each([
    ['a lost connection', new NetworkError('No reply'), 0],
    ['a refusal of the server', new MembershipError('access-denied', 'No access.', 403), 0],
    ['an unreadable reply', new MembershipError('unreadable-reply', 'Unreadable.', 200), 1],
    ['a mistake of the page', new TypeError('x is undefined'), 1],
  ])('is reported or not for %s', (_, error, reports) => {
    const reportError = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reportError)
    reportUnexpected(error)
    expect(reportError).toHaveBeenCalledTimes(reports)
    vi.unstubAllGlobals()
  })
})
