import { describe, expect, it } from 'vitest'
import { findDatabaseHold, judgeFolder } from './find-hold.ts'
import type { FoundFolder } from './folder-file.ts'
import type { GuardState } from './guard.repository.ts'

const site = { hostName: 'news.example', siteUrl: 'https://news.example' }
const control = {
  instance: '7000/16384/00000001/news.example',
  siteUrl: site.siteUrl,
  isHeld: false,
  suspendedReason: null,
  epoch: 2,
  isOriginal: true,
  version: '900',
}
const folder = { isAccepted: true, heldReason: null, seenAt: new Date(0) }
const state: GuardState = {
  cluster: '7000',
  database: '16384',
  timeline: '00000001',
  control,
  folder,
  isUsed: true,
  isBehind: false,
}
const file = { id: 'f', cluster: '7000', database: '16384', siteUrl: site.siteUrl, epoch: 2 }
const valid: FoundFolder = { state: 'valid', file }

describe('a database', () => {
  it.each([
    ['is the one that was confirmed', {}, null],
    ['has sent nothing', { control: null }, null],
    ['is in another cluster', { cluster: '7001' }, 'other-cluster'],
    ['has another oid', { database: '16385' }, 'other-database'],
    ['is on another timeline', { timeline: '00000002' }, 'other-timeline'],
    ['was written by another transaction', { control: { ...control, isOriginal: false } }, 'restored'],
    ['was written by an earlier version', { control: { ...control, isOriginal: null } }, null],
    ['is suspended', { control: { ...control, suspendedReason: 'ledger-behind' } }, 'ledger-behind'],
    ['is suspended by a later version', { control: { ...control, suspendedReason: 'x' } }, 'ledger-behind'],
    ['is held', { control: { ...control, isHeld: true } }, 'held'],
    ['is held and restored', { control: { ...control, isHeld: true, isOriginal: false } }, 'restored'],
  ] as const)('that %s: %#', (_what, change, reason) => {
    expect(findDatabaseHold({ ...state, ...change }, site)).toBe(reason)
  })

  it.each([
    ['https://other.example', 'other.example', 'other-host-name'],
    ['http://news.example', 'news.example', 'other-site-url'],
    ['https://news.example:8443', 'news.example', 'other-site-url'],
    ['https://news.example/daily', 'news.example', 'other-site-url'],
  ])('of another site holds: %s', (siteUrl, hostName, reason) => {
    expect(findDatabaseHold(state, { siteUrl, hostName })).toBe(reason)
  })
})

describe('a folder', () => {
  const missing: FoundFolder = { state: 'missing' }
  const fresh = { control: null, folder: null, isUsed: false }
  const none = { folder: null }
  const waiting = { folder: { ...folder, isAccepted: false } }
  const other: FoundFolder = { state: 'valid', file: { ...file, database: '1' } }
  const upgraded = { control: { ...control, isOriginal: null }, folder: null, isUsed: false }
  const hasSent = true
  it.each([
    ['that was accepted', state, valid, hasSent, 'may-send'],
    ['of a new database', { ...state, ...fresh }, missing, !hasSent, 'first-start'],
    [
      'of a database that has not sent yet',
      { ...state, ...none, isUsed: false },
      missing,
      !hasSent,
      'first-start',
    ],
    ['of a database of an earlier version', { ...state, ...upgraded }, missing, !hasSent, 'first-start'],
    ['of another new database, which never sent', { ...state, ...fresh }, other, !hasSent, 'first-start'],
    [
      'of this database, which has forgotten all of it',
      { ...state, ...fresh },
      valid,
      !hasSent,
      'ledger-behind',
    ],
    ['whose row was not stored yet', { ...state, ...none, isUsed: false }, valid, !hasSent, 'first-start'],
    ['without the file', state, missing, !hasSent, 'no-mark'],
    ['with only the log', { ...state, ...fresh }, missing, hasSent, 'no-mark'],
    ['that waits', { ...state, ...waiting }, valid, !hasSent, 'no-mark'],
    [
      'that waits, of a database that has not sent',
      { ...state, ...waiting, isUsed: false },
      valid,
      !hasSent,
      'first-start',
    ],
    ['that another database sent from', { ...state, ...fresh }, other, hasSent, 'mark-of-another-database'],
    ['of another database', state, other, !hasSent, 'mark-of-another-database'],
    [
      'of another cluster',
      state,
      { state: 'valid', file: { ...file, cluster: '1' } },
      !hasSent,
      'mark-of-another-database',
    ],
    [
      'of another site',
      state,
      { state: 'valid', file: { ...file, siteUrl: 'https://a.example' } },
      hasSent,
      'mark-of-another-database',
    ],
    ['that was copied', state, { state: 'copied', file }, hasSent, 'mark-copied'],
    ['that is damaged', state, { state: 'unreadable' }, hasSent, 'mark-unreadable'],
    [
      'that is damaged, of a new database',
      { ...state, ...fresh },
      { state: 'unreadable' },
      !hasSent,
      'mark-unreadable',
    ],
    ['whose database knows fewer claims', { ...state, isBehind: true }, valid, hasSent, 'ledger-behind'],
    ['whose database lost its row', { ...state, ...none }, valid, hasSent, 'ledger-behind'],
    ['whose database lost everything', { ...state, ...fresh }, valid, hasSent, 'ledger-behind'],
    [
      'whose database was confirmed less often',
      { ...state, control: { ...control, epoch: 1 } },
      valid,
      hasSent,
      'ledger-behind',
    ],
    [
      'whose database was confirmed since, and knows fewer claims',
      { ...state, control: { ...control, epoch: 3 }, isBehind: true },
      valid,
      hasSent,
      'new-epoch',
    ],
    [
      'of a dump from before the upgrade',
      { ...state, control: { ...control, isOriginal: null } },
      valid,
      hasSent,
      'ledger-behind',
    ],
  ] as const)('%s: %#', (_what, of, found, sent, verdict) => {
    expect(judgeFolder(of, found, sent)).toBe(verdict)
  })
})
