import type { DeliveryMethod } from '@tidings/contracts/delivery/methods'
import { expect, it } from 'vitest'
import { isDetailMissing } from './missing-detail.ts'

const complete = { name: 'Ada', email: 'ada@example.com', phone: '+12133734253' }

it.each<[DeliveryMethod[], typeof complete, boolean]>([
  [['memo-sms'], { ...complete, phone: ' ' }, true],
  [['memo-sms'], { ...complete, name: '' }, true],
  [['memo-sms'], { ...complete, email: '' }, true],
  [['memo-sms'], complete, false],
  [['memo-sms', 'pdf-email'], { ...complete, phone: '' }, false],
  [['memo-sms', 'pdf-sms'], { ...complete, phone: '' }, false],
  [['memo-sms', 'memo-email'], { ...complete, phone: '' }, false],
  [['digest'], { ...complete, email: '' }, false],
  [[], { ...complete, phone: '' }, false],
])('%j with %o miss a detail: %s', (methods, details, isMissing) => {
  expect(isDetailMissing(new Set(methods), details)).toBe(isMissing)
})
