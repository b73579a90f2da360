import { describe, expect, it } from 'vitest'
import { idleSubmission, type Submission, submissionReducer } from './use-submission.ts'

const busy = submissionReducer(idleSubmission, { type: 'started' })

describe('a submission', () => {
  it('says that the reader must wait, also after five seconds', () => {
    expect(busy.message).toEqual({ text: 'Please wait...', isError: false })
    expect(submissionReducer(busy, { type: 'messageExpired' })).toBe(busy)
  })

  it('keeps a field’s error after the message has expired, until the field changes', () => {
    const fieldErrors = { email: 'Enter your email.', name: 'Enter your name.' }
    const refused = submissionReducer(idleSubmission, { type: 'refused', text: 'No.', fieldErrors })
    const expired = submissionReducer(refused, { type: 'messageExpired' })
    expect(expired).toEqual({ ...idleSubmission, fieldErrors })
    const changed = submissionReducer(expired, { type: 'fieldChanged', name: 'email', problem: null })
    expect(changed.fieldErrors).toEqual({ name: 'Enter your name.' })
    expect(submissionReducer(changed, { type: 'fieldChanged', name: 'phone', problem: null })).toBe(changed)
  })

  it('says what is still wrong with a changed field, unless the server had refused it', () => {
    const fieldErrors = { email: 'Enter your email.' }
    const change = { type: 'fieldChanged', name: 'email', problem: 'Not an address.' } as const
    const errorsAfter = (type: 'refused' | 'failed') =>
      submissionReducer(submissionReducer(idleSubmission, { type, text: 'No.', fieldErrors }), change)
        .fieldErrors
    expect(errorsAfter('refused')).toEqual({ email: 'Not an address.' })
    expect(errorsAfter('failed')).toEqual({})
  })

  it('stays busy while another site opens, and is idle again when the reader comes back', () => {
    const leaving: Submission = submissionReducer(busy, { type: 'leftPage' })
    expect(leaving.stage).toBe('leaving')
    expect(submissionReducer(leaving, { type: 'cameBack' })).toEqual(idleSubmission)
    expect(submissionReducer(busy, { type: 'cameBack' })).toBe(busy)
  })

  it('ends with a text or without one', () => {
    expect(submissionReducer(busy, { type: 'finished', text: 'Saved' }).message?.text).toBe('Saved')
    expect(submissionReducer(busy, { type: 'finished', text: null })).toEqual(idleSubmission)
  })
})
