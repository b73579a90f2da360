import type { DeliveryMethod } from '@tidings/contracts/delivery/methods'
import { describe, expect, it } from 'vitest'
import {
  fieldsToSave,
  type MethodChanges,
  methodChanges,
  parseChanges,
  withChanges,
} from './account-changes.ts'

describe('changes on top of what is stored now', () => {
  it.each<[Record<string, boolean>, MethodChanges, DeliveryMethod[], Record<string, boolean>]>([
    [{}, {}, [], {}],
    [{}, { 'pdf-email': true }, ['pdf-email'], { getPDFMethodByEmail: true }],
    [
      { getmemomethodbysms: true },
      { 'pdf-email': true },
      ['memo-sms', 'pdf-email'],
      { getPDFMethodByEmail: true },
    ],
    [{ getmemomethodbysms: true }, { 'memo-email': false }, ['memo-sms'], {}],
    [
      { getmemomethodbysms: true },
      { digest: true, 'memo-email': false },
      ['digest'],
      { combinestatus: true, getmemomethodbysms: false },
    ],
    // Another device chose the digest, which keeps PDFs off.
    [{ combinestatus: true }, { 'pdf-email': true }, ['digest'], {}],
  ])('%j with %j', (customFields, changes, methods, saved) => {
    expect([...withChanges({ customFields }, changes)]).toEqual(methods)
    expect(fieldsToSave({ customFields }, changes)).toEqual(saved)
  })

  it('are only what differs', () => {
    expect(methodChanges(new Set(['memo-email', 'memo-sms']), new Set(['memo-sms', 'pdf-sms']))).toEqual({
      'memo-email': false,
      'pdf-sms': true,
    })
  })
})

it.each([[null], ['{"details":{"name":1},"methods":{}}'], ['{"details":{},"methods":{"fax":true}}']])(
  'nothing is kept in %s',
  (text) => {
    expect(parseChanges(text)).toEqual({ details: {}, methods: {} })
  },
)
