import 'uplot/dist/uPlot.min.css'
import { type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useLanguage } from '@/i18n'
import { axisTime, dateTime } from '@/lib/format'
import type { Language } from '@/lib/language'
import type { ChartPoint, ChartProps } from './chart-props'

const day = 24 * 60 * 60
/** Charts shorter than this (in seconds) show times of day on the axis. */
const timeOfDayBelow = 3 * day
/** Shortest time axis, in seconds: in less, all ticks would have the same label. */
const minSpan = 60 * 60
const days = [1, 2, 5, 10, 30, 60, 120, 365].map((n) => n * day)
const minutes = [1, 5, 15, 30, 60, 180, 360, 720].map((n) => n * 60)

/** The current value of a theme color, because a canvas can't use custom properties. */
const themeColor = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const seconds = ({ at }: ChartPoint) => Date.parse(at) / 1000

function optionsOf(
  { points, format, daily, byDay = daily, compared }: ChartProps,
  language: Language,
  showValue: (text: string) => void,
): uPlot.Options {
  const [first, last] = [points[0], points.at(-1)]
  const showTimes =
    !byDay && first !== undefined && last !== undefined && seconds(last) - seconds(first) < timeOfDayBelow
  const axis: uPlot.Axis = {
    stroke: () => themeColor('--muted-foreground'),
    grid: { stroke: () => themeColor('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
  }
  const paths = daily ? uPlot.paths.bars?.({ size: [0.6, 64] }) : uPlot.paths.stepped?.({ align: byDay ? -1 : 1 })
  const fromZero = { pad: 0.1, soft: 0, mode: 1 } as const
  return {
    width: 0,
    height: 0,
    padding: [8, 16, 0, 0],
    scales: daily
      ? {
          x: { range: (_, from, to) => [from - day / 2, to + day / 2] },
          y: { range: { min: fromZero, max: fromZero } },
        }
      : { x: { range: (_, from, to) => [Math.min(from, to - minSpan), to] } },
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    axes: [
      {
        ...axis,
        space: 96,
        ...(daily && { grid: { show: false } }),
        incrs: showTimes ? minutes : days,
        values: (_, at) => at.map((time) => axisTime(time * 1000, language, showTimes)),
      },
      { ...axis, size: 84, values: (_, at) => at.map((value) => format(value)) },
    ],
    series: [
      {},
      {
        stroke: () => themeColor('--gold'),
        // Appends the alpha to a six-digit hex color.
        fill: () => `${themeColor('--gold')}1f`,
        width: 2,
        points: { show: false },
        ...(paths && { paths }),
      },
      ...(compared
        ? [
            {
              stroke: () => themeColor('--muted-foreground'),
              width: 2,
              dash: [6, 4],
              points: { show: false },
              ...(paths && { paths }),
            },
          ]
        : []),
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx } }) => {
          const point = points[idx ?? -1]
          if (!point) return showValue('')
          const time = byDay ? axisTime(Date.parse(point.at), language, false) : dateTime(point.at, language)
          const other = compared && `${compared.name} ${format(compared.values[idx ?? -1] ?? 0)}`
          showValue([time, format(point.value), ...(other ? [other] : [])].join(' · '))
        },
      ],
    },
  }
}

export default function ChartDrawing({
  label,
  points,
  format,
  daily = false,
  byDay = daily,
  compared,
}: ChartProps): ReactNode {
  const language = useLanguage()
  const frame = useRef<HTMLDivElement>(null)
  const pointed = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const showValue = (text: string) => {
      if (pointed.current) pointed.current.textContent = text
    }
    const data: uPlot.AlignedData = [
      points.map(seconds),
      points.map(({ value }) => value),
      ...(compared ? [[...compared.values]] : []),
    ]
    const props = { label, points, format, daily, byDay, ...(compared && { compared }) }
    const plot = new uPlot(optionsOf(props, language, showValue), data, element)
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: element.clientHeight }))
    sizes.observe(element)
    // The theme is a class on the root element.
    const themes = new MutationObserver(() => plot.redraw())
    themes.observe(document.documentElement, { attributeFilter: ['class'] })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      plot.destroy()
    }
  }, [label, points, format, daily, byDay, compared, language])
  return (
    <div className="relative h-full">
      <div ref={frame} role="img" aria-label={label} className="h-full" />
      <p
        ref={pointed}
        aria-hidden
        className="pointer-events-none absolute -top-1 right-4 rounded-md bg-card px-1.5 text-xs text-muted-foreground tabular-nums"
      />
    </div>
  )
}
