import { fireEvent, screen, within } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { updateMemberDeliveries } from '@tidings/contracts/membership/deliveries'
import { expect, it } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { renderAccount } from '#testing/render-account.ts'

const path = '/account/dashboard'
const pdfFormat = 'phone' as const
const next = { method: 'memo-email', at: '2026-11-21T18:00:00.000Z' } as const
const sent = {
  digest: null,
  method: 'memo-email',
  state: 'sent',
  reason: null,
  sentAt: null,
  dueAt: null,
} as const
const recent = ['11-20-26-3PM', '11-20-26-10AM', '11-19-26-8PM', '11-19-26-3PM'].map((edition) => ({
  ...sent,
  edition,
}))

it('shows what comes next and the last deliveries, which open their editions', async () => {
  const deliveries = { next, obstacle: null, pausedUntil: null, pdfFormat, recent }
  const { user } = await renderAccount(path, { membership: { deliveries } })
  expect(await screen.findByText(/The next edition comes by email/)).toBeDefined()
  const list = within(screen.getByRole('list', { name: 'Last deliveries' }))
  expect(list.getAllByRole('listitem')).toHaveLength(3)
  await user.click(screen.getByRole('button', { name: 'Show the last 4' }))
  expect(list.getAllByRole('listitem')).toHaveLength(4)
  expect(list.getAllByRole('link')[0]?.getAttribute('href')).toBe('/edition/11-20-26-3PM')
})

it('pauses until a day, and continues', async () => {
  const deliveries = { next, obstacle: null, pausedUntil: null, pdfFormat, recent: [] }
  const { user } = await renderAccount(path, { membership: { deliveries } })
  await user.click(await screen.findByRole('button', { name: 'Pause deliveries' }))
  const day = screen.getByLabelText('Continue on')
  expect(document.activeElement).toBe(day)
  await user.click(screen.getByRole('button', { name: 'Pause until then' }))
  expect(screen.getByRole('alert').textContent).toBe('Choose a day from tomorrow on.')
  expect([day.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', day])
  expect(screen.getAllByText(/^Choose an? .*day/)).toHaveLength(1)
  fireEvent.change(day, { target: { value: '9999-01-02' } })
  await user.click(screen.getByRole('button', { name: 'Pause until then' }))
  const latest = day.getAttribute('max') ?? ''
  expect(screen.getByText(/^A pause lasts until \w+ \d+, \d{4} at most\.$/)).toBeDefined()
  fireEvent.change(day, { target: { value: latest } })
  expect(day.getAttribute('aria-invalid')).toBe('false')
  await user.click(screen.getByRole('button', { name: 'Pause until then' }))
  expect(await screen.findByText(new RegExp(`They continue on .*${latest.slice(0, 4)}`))).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'What comes next' }))
  await user.click(screen.getByRole('button', { name: 'Continue now' }))
  expect(await screen.findByText('Deliveries continue.')).toBeDefined()
  expect(screen.queryByText(/paused/)).toBeNull()
})

it('says why a pause was not saved, and keeps the chosen day', async () => {
  const deliveries = { next, obstacle: null, pausedUntil: null, pdfFormat, recent: [] }
  const { user } = await renderAccount(path, { membership: { deliveries } })
  apiServer.use(fake(updateMemberDeliveries, () => errorResponse(503, 'service-busy', 'Try later.')))
  await user.click(await screen.findByRole('button', { name: 'Pause deliveries' }))
  const day = screen.getByLabelText('Continue on')
  const latest = day.getAttribute('max')
  fireEvent.change(day, { target: { value: latest } })
  await user.click(screen.getByRole('button', { name: 'Pause until then' }))
  expect(await screen.findByText('Try later.')).toBeDefined()
  expect(screen.getByLabelText('Continue on')).toHaveProperty('value', latest)
})

it('offers the pages of PDFs to members who receive them, and saves a choice at once', async () => {
  const member = wireMember({ customFields: { getPDFMethodBySMS: true } })
  const deliveries = { next, obstacle: null, pausedUntil: null, pdfFormat, recent: [] }
  const { user } = await renderAccount(path, { membership: { member, deliveries } })
  const pages = await screen.findByRole('group', { name: 'Pages of the PDF' })
  expect(within(pages).getByRole('radio', { name: 'Phone' })).toHaveProperty('checked', true)
  await user.click(within(pages).getByRole('radio', { name: 'A4, for printing' }))
  expect(await screen.findByText('Your next PDF has A4 pages.')).toBeDefined()
  expect(within(pages).getByRole('radio', { name: 'A4, for printing' })).toHaveProperty('checked', true)

  apiServer.use(fake(updateMemberDeliveries, () => errorResponse(503, 'service-busy', 'Try later.')))
  await user.click(within(pages).getByRole('radio', { name: 'Phone' }))
  expect(await screen.findByText('Try later.')).toBeDefined()
  expect(within(pages).getByRole('radio', { name: 'A4, for printing' })).toHaveProperty('checked', true)
})

it.each([
  ['no PDF', { getmemomethodbyemail: true }],
  ['the digest instead', { getPDFMethodByEmail: true, combinestatus: true }],
])('offers no pages of PDFs to those who receive %s', async (_what, customFields) => {
  const deliveries = { next, obstacle: null, pausedUntil: null, pdfFormat, recent: [] }
  await renderAccount(path, { membership: { member: wireMember({ customFields }), deliveries } })
  await screen.findByRole('button', { name: 'Pause deliveries' })
  expect(screen.queryByRole('group', { name: 'Pages of the PDF' })).toBeNull()
})
