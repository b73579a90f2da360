import { describe, expect, it } from 'vitest'
import type { CheckedAccount } from '#features/billing/index.ts'
import type { AccountInspection, UnpaidInvoice } from '#integrations/payments/account-inspection.ts'
import { checkAccount } from './account-findings.ts'
import { checkLeftovers } from './leftover-findings.ts'
import { checkCards, checkRetries, checkTax } from './settings-findings.ts'

const now = new Date('2026-11-20T18:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000)
const account = { id: 'acct_1', isLive: true }

function checked(
  inspection: Partial<AccountInspection> = {},
  rest: Partial<CheckedAccount> = {},
): CheckedAccount {
  return {
    inspection: {
      account,
      isRestrictedKey: false,
      missingPermissions: [],
      settings: { canCharge: true, keepsInvoiceCard: 'always' },
      prices: [],
      portals: [],
      endpoints: [],
      apiVersion: '2026-10-28.endive',
      tax: { isReady: true, missing: [], registrations: 1 },
      testClocks: 0,
      unpaid: [],
      ...inspection,
    },
    stored: account,
    apps: [],
    failedRefunds: 0,
    manualRefunds: 0,
    overdueSyncs: 0,
    lastEventAt: now,
    checkedAt: now,
    ...rest,
  }
}

function unpaid(change: Partial<UnpaidInvoice> = {}): UnpaidInvoice {
  return {
    id: 'in_1',
    status: 'open',
    createdAt: daysAgo(3),
    attempts: 1,
    nextAttemptAt: null,
    subscriptionId: 'sub_1',
    subscriptionEndedAt: null,
    finalizationError: null,
    ...change,
  }
}

type Case = [
  what: string,
  check: () => { findings: readonly { level: string; text: string }[] },
  level: string,
  text: string,
]

describe('the findings', () => {
  it.each<Case>([
    ['a first key', () => checkAccount(checked({}, { stored: null })), 'todo', 'Run `tidings payments sync`'],
    [
      "another account's key",
      () => checkAccount(checked({}, { stored: { id: 'acct_2', isLive: true } })),
      'todo',
      'belongs to acct_1 (live mode), but this database to acct_2 (live mode)',
    ],
    [
      'an account that is not activated',
      () => checkAccount(checked({ settings: { canCharge: false, keepsInvoiceCard: null } })),
      'todo',
      "doesn't accept charges yet",
    ],
    [
      'a card that members may keep',
      () => checkCards(checked({ settings: { canCharge: true, keepsInvoiceCard: 'offer' } })),
      'note',
      'only if the member chooses so',
    ],
    [
      'a retry within the grace period',
      () => checkRetries(checked({ unpaid: [unpaid({ nextAttemptAt: daysAgo(-3) })] }), 7),
      'note',
      "API doesn't show the schedule",
    ],
    [
      'a retry after it',
      () => checkRetries(checked({ unpaid: [unpaid({ nextAttemptAt: daysAgo(-5) })] }), 7),
      'todo',
      'in_1 is tried again on 2026-11-25',
    ],
    [
      'an invoice that is given up',
      () => checkRetries(checked({ unpaid: [unpaid({ createdAt: daysAgo(8) })] }), 7),
      'todo',
      "in_1 isn't tried again, but sub_1 hasn't ended",
    ],
    [
      'tax without an office',
      () => checkTax(checked({ tax: { isReady: false, missing: ['head_office'], registrations: 1 } }), true),
      'todo',
      'lacks head_office',
    ],
    [
      'tax without a registration',
      () => checkTax(checked({ tax: { isReady: true, missing: [], registrations: 0 } }), true),
      'todo',
      'no active registration',
    ],
    ['failed refunds', () => checkLeftovers(checked({}, { failedRefunds: 2 })), 'todo', '2 refunds failed'],
    ['refunds by hand', () => checkLeftovers(checked({}, { manualRefunds: 1 })), 'todo', '1 payments wait'],
    [
      'overdue syncs',
      () => checkLeftovers(checked({}, { overdueSyncs: 3 })),
      'todo',
      '3 customers have waited',
    ],
    [
      'a draft of an ended subscription',
      () =>
        checkLeftovers(checked({ unpaid: [unpaid({ status: 'draft', subscriptionEndedAt: daysAgo(2) })] })),
      'todo',
      'in_1 is draft, although sub_1 has ended. `tidings payments reconcile` closes it.',
    ],
    [
      'an old one',
      () => checkLeftovers(checked({ unpaid: [unpaid({ subscriptionEndedAt: daysAgo(31) })] })),
      'todo',
      'Void it in the dashboard.',
    ],
    [
      'an invoice that could not be finalized',
      () =>
        checkLeftovers(
          checked({
            unpaid: [unpaid({ status: 'draft', finalizationError: 'customer_tax_location_invalid' })],
          }),
        ),
      'todo',
      'in_1 could not be finalized (customer_tax_location_invalid)',
    ],
    [
      'test clocks',
      () => checkLeftovers(checked({ account: { id: 'acct_1', isLive: false }, testClocks: 2 })),
      'note',
      '2 test clocks are left',
    ],
  ])('name %s', (_what, check, level, text) => {
    expect(check().findings).toContainEqual({ level, text: expect.stringContaining(text) })
  })

  it('leave an invoice to the sync in the first hour after its subscription ended', () => {
    const { findings } = checkLeftovers(checked({ unpaid: [unpaid({ subscriptionEndedAt: daysAgo(0.02) })] }))
    expect(findings.filter(({ level }) => level === 'todo')).toEqual([])
  })
})
