import { describe, expect, it } from 'vitest'
import {
  type DeliveryMethod,
  type DeliveryMethods,
  deliveryMethodsOf,
  fieldsOfMethods,
  isDetailMissing,
  withMethod,
} from './delivery-methods.ts'

const off = deliveryMethodsOf({})
const on = (...methods: DeliveryMethod[]): DeliveryMethods => ({
  ...off,
  ...Object.fromEntries(methods.map((method) => [method, true])),
})

describe('a change of delivery methods', () => {
  it.each<[DeliveryMethods, DeliveryMethod, DeliveryMethods]>([
    [on('memoByEmail', 'memoBySms', 'pdfByEmail', 'pdfBySms'), 'digest', on('digest')],
    [on('digest'), 'memoByEmail', on('memoByEmail')],
    [on('digest'), 'memoBySms', on('memoBySms')],
    [on('digest'), 'pdfByEmail', on('digest', 'pdfByEmail')],
    [on('digest'), 'pdfBySms', on('digest', 'pdfBySms')],
    [on('memoByEmail'), 'memoBySms', on('memoByEmail', 'memoBySms')],
  ])('from %o by turning on %s leads to %o', (before, method, after) => {
    expect(withMethod(before, method, true)).toEqual(after)
  })

  it('turns off only that method', () => {
    expect(withMethod(on('digest'), 'digest', false)).toEqual(off)
    expect(withMethod(on('memoByEmail', 'pdfByEmail'), 'memoByEmail', false)).toEqual(on('pdfByEmail'))
  })
})

describe('delivery methods', () => {
  it('are read from custom fields, also as text, and written to them', () => {
    const fields = {
      getmemomethodbyemail: true,
      getmemomethodbysms: 'true',
      getPDFMethodByEmail: 'false',
      getPDFMethodBySMS: null,
    }
    expect(deliveryMethodsOf(fields)).toEqual(on('memoByEmail', 'memoBySms'))
    expect(fieldsOfMethods(on('pdfByEmail', 'pdfBySms', 'digest'))).toEqual({
      getmemomethodbyemail: false,
      getmemomethodbysms: false,
      getPDFMethodByEmail: true,
      getPDFMethodBySMS: true,
      combinestatus: true,
    })
  })

  const complete = { name: 'Ada', email: 'ada@example.com', phone: '+12133734253' }
  it.each([
    [on('memoBySms'), { ...complete, phone: ' ' }, true],
    [on('memoBySms'), { ...complete, name: '' }, true],
    [on('memoBySms'), { ...complete, email: '' }, true],
    [on('memoBySms'), complete, false],
    [on('memoBySms', 'pdfByEmail'), { ...complete, phone: '' }, false],
    [on('memoBySms', 'pdfBySms'), { ...complete, phone: '' }, false],
    [on('memoBySms', 'memoByEmail'), { ...complete, phone: '' }, false],
    [on('digest'), { ...complete, email: '' }, false],
    [off, { ...complete, phone: '' }, false],
  ])('%o with %o miss a detail: %s', (methods, details, isMissing) => {
    expect(isDetailMissing(methods, details)).toBe(isMissing)
  })
})
