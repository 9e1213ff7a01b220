import type { ReactNode } from 'react'
import { proofsTexts } from './texts'

/** How a draw works, numbered like the steps below it: in one row, or two on narrow screens. */
export function Diagram() {
  const t = proofsTexts.useT().fairness
  return (
    <>
      <svg viewBox="0 0 1000 304" role="img" aria-label={t.diagram} className="hidden w-full lg:block">
        <Marker id="tip-row" />
        <g fill="none" stroke="var(--line-strong)" strokeWidth="1.500">
          <path d="M490 158H566" markerEnd="url(#tip-row)" />
          <path d="M742 158H790" markerEnd="url(#tip-row)" />
          <path d="M135 20V8H886V38" strokeDasharray="4 5" markerEnd="url(#tip-row)" />
        </g>
        <Sources />
        <Outcome />
      </svg>
      <svg viewBox="0 0 520 584" role="img" aria-label={t.diagram} className="w-full lg:hidden">
        <Marker id="tip-rows" />
        <g fill="none" stroke="var(--line-strong)" strokeWidth="1.500" markerEnd="url(#tip-rows)">
          <path d="M428 222V270C428 306 136 290 136 336" />
          <path d="M222 452H272" />
        </g>
        <Sources />
        <g transform="translate(-520 300)">
          <Outcome />
        </g>
      </svg>
    </>
  )
}

function Marker({ id }: { id: string }) {
  return (
    <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
      <path d="M1 1 7 4 1 7" fill="none" stroke="var(--muted-foreground)" strokeWidth="1.400" />
    </marker>
  )
}

/** The inputs of a draw. */
function Sources() {
  const l = proofsTexts.useT().fairness.diagramLabels
  return (
    <>
      <path
        d="M250 60C330 60 320 130 372 142M250 158H362M250 256C330 256 320 186 372 174"
        fill="none"
        stroke="var(--line-strong)"
        strokeWidth="1.500"
      />
      <Box y={20} number={1} title={l.server} hint={l.serverHint}>
        <SealGlyph />
      </Box>
      <Box y={118} number={2} title={l.you} hint={l.youHint}>
        <DiceGlyph />
      </Box>
      <Box y={216} title={l.table} hint={l.tableHint}>
        <TableGlyph />
      </Box>
      <circle cx="428" cy="158" r="62" fill="var(--raised)" stroke="var(--gold)" strokeWidth="2" />
      <Badge x={428} y={96} number={3} />
      <Label x={428} y={154} title={l.draw} hint={l.drawHint} />
    </>
  )
}

/** The results of a draw. */
function Outcome() {
  const l = proofsTexts.useT().fairness.diagramLabels
  return (
    <>
      <Fan />
      <Badge x={656} y={62} number={4} />
      <Label x={656} y={252} title={l.result} hint={l.resultHint} />
      <Tree />
      <Badge x={926} y={62} number={5} />
      <Label x={886} y={252} title={l.log} hint={l.logHint} />
    </>
  )
}

interface Caption {
  title: string
  hint: string
}

function Label({ x, y, title, hint }: Caption & { x: number; y: number }) {
  return (
    <g textAnchor="middle">
      <text x={x} y={y} fill="var(--foreground)" fontSize="16" fontWeight="600">
        {title}
      </text>
      <text x={x} y={y + 21} fill="var(--muted-foreground)" fontSize="13.500">
        {hint}
      </text>
    </g>
  )
}

function Badge({ x, y, number }: { x: number; y: number; number: number }) {
  return (
    <g>
      <circle cx={x} cy={y} r="11.500" fill="var(--gold)" />
      <text x={x} y={y + 4.5} textAnchor="middle" fill="var(--gold-foreground)" fontSize="13" fontWeight="700">
        {number}
      </text>
    </g>
  )
}

function Box({ y, number, title, hint, children }: Caption & { y: number; number?: number; children: ReactNode }) {
  return (
    <g>
      <rect x="20" y={y} width="230" height="80" rx="14" fill="var(--raised)" stroke="var(--line-strong)" />
      <g
        transform={`translate(38 ${y + 22})`}
        fill="none"
        stroke="var(--gold-text)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {children}
      </g>
      <text x="90" y={y + 36} fill="var(--foreground)" fontSize="16" fontWeight="600">
        {title}
      </text>
      <text x="90" y={y + 57} fill="var(--muted-foreground)" fontSize="13.500">
        {hint}
      </text>
      {number && <Badge x={20} y={y + 40} number={number} />}
    </g>
  )
}

function SealGlyph() {
  return (
    <>
      <circle cx="18" cy="18" r="16" />
      <rect x="11" y="17" width="14" height="10" rx="2" />
      <path d="M14 17v-3a4 4 0 0 1 8 0v3" />
    </>
  )
}

function DiceGlyph() {
  return (
    <>
      <rect x="4" y="4" width="28" height="28" rx="6" />
      <path d="M12 12h.01M24 12h.01M18 18h.01M12 24h.01M24 24h.01" strokeWidth="3.500" />
    </>
  )
}

function TableGlyph() {
  return <path d="M4 31V5h28v26zM4 14h28M4 22.500h28M14 14v17" />
}

/** Three slabs out of a pack. */
function Fan() {
  const slab = (turn: number, edge: string) => (
    <g transform={`rotate(${turn} 656 230)`}>
      <rect x="622" y="92" width="68" height="104" rx="8" fill="var(--card)" stroke={edge} strokeWidth="2" />
      <rect x="630" y="100" width="52" height="16" rx="3" fill="var(--muted)" />
      <rect x="630" y="122" width="52" height="66" rx="4" fill={edge} fillOpacity=".22" />
    </g>
  )
  return (
    <>
      {slab(-13, 'var(--common)')}
      {slab(13, 'var(--rare)')}
      {slab(0, 'var(--legendary)')}
    </>
  )
}

/** The log's Merkle tree, with this open as a leaf under the signed root. */
function Tree() {
  const leaves = [828, 867, 905, 944]
  return (
    <>
      <g stroke="var(--line-strong)" strokeWidth="1.5">
        <path d="M886 62 847 122 828 184M847 122 867 184M886 62 925 122 905 184M925 122 944 184" fill="none" />
      </g>
      <path d="M886 62 847 122 867 184" fill="none" stroke="var(--gold)" strokeWidth="2" />
      <circle cx="886" cy="62" r="15" fill="var(--raised)" stroke="var(--gold)" strokeWidth="2" />
      <path
        d="m880 62 4.500 4.500L893 58"
        fill="none"
        stroke="var(--gold-text)"
        strokeWidth="2.200"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      {[847, 925].map((x) => (
        <circle key={x} cx={x} cy="122" r="9" fill="var(--raised)" stroke="var(--line-strong)" strokeWidth="1.500" />
      ))}
      {leaves.map((x) => (
        <rect
          key={x}
          x={x - 11}
          y="178"
          width="22"
          height="28"
          rx="4"
          fill={x === 867 ? 'var(--gold)' : 'var(--raised)'}
          stroke={x === 867 ? 'var(--gold)' : 'var(--line-strong)'}
          strokeWidth="1.500"
        />
      ))}
    </>
  )
}
