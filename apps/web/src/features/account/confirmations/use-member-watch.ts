import { useEffect } from 'react'
import { useMember } from '#lib/member/use-member.ts'

const watchMs = 5000
const maxReads = 120

/** Reads the member again every few seconds and when the page is looked at: another tab or device may have changed it. */
export function useMemberWatch(): void {
  const { refetch } = useMember()
  useEffect(() => {
    let reads = 0
    function read() {
      if (document.visibilityState !== 'visible' || reads >= maxReads) return
      reads += 1
      void refetch()
    }
    const timer = setInterval(read, watchMs)
    document.addEventListener('visibilitychange', read)
    window.addEventListener('focus', read)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', read)
      window.removeEventListener('focus', read)
    }
  }, [refetch])
}
