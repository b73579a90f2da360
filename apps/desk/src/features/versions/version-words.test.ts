import type { TextVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import { describe, expect, it } from 'vitest'
import { momentText, otherClock, valueText, versionText } from './version-words.ts'

const version: TextVersionSummary = {
  id: 'v',
  kind: 'session',
  startedAt: '2042-11-11T22:17:00Z',
  endedAt: '2042-11-11T22:31:00Z',
  savedBy: 'Mara Lund',
}
const zones = { site: 'America/Los_Angeles', own: 'America/New_York' }

describe('a version in the list', () => {
  it.for<[Partial<TextVersionSummary>, string]>([
    [{}, 'Mara · 14 min of writing'],
    [{ kind: 'published' }, 'Mara · published'],
    [{ kind: 'refused' }, 'Mara · not chosen, there were two texts'],
    [{ kind: 'restored' }, 'Mara · restored an earlier version'],
    [{ kind: 'first', savedBy: '' }, 'Before the first change'],
    [{ kind: 'published', savedBy: '' }, 'published'],
  ])('%o is said as %s', ([change, text]) => {
    expect(versionText({ ...version, ...change })).toBe(text)
  })

  it('has the time of the site, and that of the person if it is another', () => {
    const at = new Date(version.endedAt)
    expect(momentText(at, zones.site, new Date('2042-12-01T00:00:00Z'))).toBe('Nov 11, 2:31 PM')
    expect(momentText(at, zones.site, new Date('2043-12-01T00:00:00Z'))).toBe('Nov 11, 2042, 2:31 PM')
    expect(otherClock(at, zones)).toBe('5:31 PM here')
    expect(otherClock(at, { site: zones.site, own: zones.site })).toBe('')
  })

  it('has its values in words', () => {
    expect(valueText('media_focus', { x: 0.25, y: 0.5 })).toBe('25 % from the left, 50 % from the top')
    expect(valueText('group', null)).toBe('Every member')
    expect(valueText('group', 'gold', new Map([['gold', 'Gold members']]))).toBe('Gold members')
    expect(valueText('group', 'deleted', new Map([['gold', 'Gold members']]))).toBe('deleted')
    expect(valueText('media_alt', null)).toBe('')
  })
})
