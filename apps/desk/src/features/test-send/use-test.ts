import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { NetworkError } from '#lib/api/call.ts'
import { newId } from '#lib/browser/ambient.ts'
import { sendTest, type Test } from './test-calls.ts'

/** Sends a test. After a lost reply, a repetition has the same key, so that it goes out once. */
export function useTest() {
  const sent = useRef({ request: '', id: '' })
  // A second click can come before the button is disabled.
  const isRunning = useRef(false)
  const { data, error, isPending, isSuccess, mutate, reset } = useMutation({
    async mutationFn(test: Test) {
      const request = JSON.stringify(test)
      if (sent.current.request !== request) sent.current = { request, id: newId() }
      return await sendTest(test, sent.current.id)
    },
    onSettled(_, failure) {
      isRunning.current = false
      if (!(failure instanceof NetworkError)) sent.current = { request: '', id: '' }
    },
  })
  return {
    recipient: data,
    failure: error instanceof NetworkError ? `${error.message} The test goes out once.` : error?.message,
    isPending,
    isSuccess,
    reset,
    send(test: Test) {
      if (isRunning.current) return
      isRunning.current = true
      mutate(test)
    },
  }
}
