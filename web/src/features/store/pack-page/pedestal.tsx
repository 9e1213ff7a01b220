import { PackCover, type PackCoverProps } from '@/components/pack-cover'
import { coverSizes } from '../cover-sizes'

/** The pack under its light. */
export function Pedestal({ pack }: Pick<PackCoverProps, 'pack'>) {
  return (
    <div className="panel relative grid h-[28rem] place-items-center overflow-hidden rounded-3xl spotlight xl:sticky xl:top-8 xl:h-[min(40rem,calc(100dvh-9rem))]">
      <PackCover pack={pack} sizes={coverSizes.page} className="w-64 lift-high xl:w-[min(82%,26rem)]" />
    </div>
  )
}
