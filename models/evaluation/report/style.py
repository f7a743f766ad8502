"""How the page looks."""

CSS = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, "Noto Sans", "Noto Sans Arabic", "Noto Sans Devanagari",
  sans-serif;
  color: #1d2733; background: #f4f6f8; margin: 0; }
main { max-width: 1360px; margin: 0 auto; padding: 28px 24px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 0 0 4px; }
p { margin: 0 0 12px; color: #52606d; max-width: 900px; }
section { background: #fff; border: 1px solid #dde3e9; border-radius: 8px; padding: 18px 20px;
  margin-top: 18px; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 18px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 14px;
  margin-top: 18px; }
.tile { background: #fff; border: 1px solid #dde3e9; border-radius: 8px; padding: 12px 16px; }
.tile b { display: block; font-size: 23px; line-height: 1.3; white-space: nowrap; }
.tile span { color: #52606d; font-size: 13px; }
.tile.alarm b { color: #c62f2f; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; color: #52606d; font-size: 13px; }
th, td { padding: 5px 10px 5px 0; border-bottom: 1px solid #edf0f3; vertical-align: top; }
td.number, th.number { text-align: right; padding-left: 14px; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
td.text { width: 31%; padding: 5px 14px; overflow-wrap: anywhere; }
.agent { color: #6b7885; font-size: 13px; }
td.alarm { color: #c62f2f; font-weight: 600; }
tr.head td { padding-top: 14px; font-weight: 600; color: #52606d; }
.bar { display: inline-block; height: 10px; border-radius: 2px; background: #2f6fb3;
  vertical-align: middle; margin-right: 8px; }
.track { display: inline-block; width: 140px; background: #edf0f3; border-radius: 2px; height: 10px;
  line-height: 0; vertical-align: middle; margin-right: 10px; text-align: left; }
svg { width: 100%; height: auto; display: block; margin-top: 6px; }
svg text { font-size: 13px; fill: #1d2733; }
svg .tick { font-size: 12px; fill: #6b7885; }
svg .strong { font-weight: 600; paint-order: stroke; stroke: #fff; stroke-width: 4px; }
svg text.bad { fill: #c62f2f; font-weight: 700; }
svg line.grid { stroke: #edf0f3; }
svg line.axis { stroke: #9aa7b3; }
svg line.ceiling { stroke: #2e8b57; stroke-dasharray: 4 4; }
svg line.threshold { stroke: #1d2733; stroke-width: 1.5; }
svg line.bound { stroke: #1d2733; stroke-width: 2; }
svg rect.good { fill: #eaf6ef; }
svg polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
svg .gate { stroke: #2f6fb3; stroke-width: 3; }
svg .bare { stroke: #d08a1d; stroke-width: 2; }
svg .cosine { stroke: #9aa7b3; stroke-width: 2; stroke-dasharray: 5 4; }
svg circle.shipped { fill: #1d2733; stroke: #fff; stroke-width: 2; }
svg .price { stroke-width: 2.5; }
svg .p0 { stroke: #9cc3e6; } svg circle.p0 { fill: #9cc3e6; }
svg .p1 { stroke: #4f8fc9; } svg circle.p1 { fill: #4f8fc9; }
svg .p2 { stroke: #b0762b; } svg circle.p2 { fill: #b0762b; }
svg .p3 { stroke: #c62f2f; } svg circle.p3 { fill: #c62f2f; }
svg circle.price { stroke: #fff; stroke-width: 1.5; }
svg rect.match.served { fill: #2f6fb3; }
svg rect.match.kept { fill: #a9c8e6; }
svg rect.other.kept { fill: #d9c9a8; }
svg rect.other.served { fill: #c62f2f; }
.key { margin: 0 6px 0 10px; white-space: nowrap; }
.key i { display: inline-block; width: 16px; height: 12px; border-radius: 2px; margin-right: 6px;
  vertical-align: -1px; }
i.gate, i.match.served { background: #2f6fb3; }
i.bare { background: #d08a1d; }
i.cosine { background: #9aa7b3; }
i.p0 { background: #9cc3e6; } i.p1 { background: #4f8fc9; }
i.p2 { background: #b0762b; } i.p3, i.other.served { background: #c62f2f; }
i.match.kept { background: #a9c8e6; }
i.other.kept { background: #d9c9a8; }
"""
