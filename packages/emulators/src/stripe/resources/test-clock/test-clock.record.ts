export type TestClockRecord = {
  id: string
  created: number
  name: string | null
  frozenTime: number
  status: 'ready' | 'advancing' | 'internal_failure'
  deletesAfter: number
}
