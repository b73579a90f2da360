import type { Metrics } from '#platform/metrics.ts'

/** Returns a metric's values with their labels. */
export async function metricValues({ registry }: Metrics, name: string) {
  return (await registry.getSingleMetric(name)?.get())?.values ?? []
}

/** Returns the value of a metric with these labels; undefined without one. */
export async function metricValue(
  metrics: Metrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const values = await metricValues(metrics, name)
  return values.find((each) => Object.entries(labels).every(([label, value]) => each.labels[label] === value))
    ?.value
}
