// A whole document where one page of it stands: pages that scroll, text to select, what is cited framed, small pages to go by.
// PDF files are drawn here, by pdf.js; of other sources the pictures of pages come from the server.

const vendor = new URL("./vendor/pdfjs/", import.meta.url).href;
const AHEAD = "900px 0px";
const KEPT = 16;  // pages that stay drawn
const SMALL = 84;  // pixels that a small page is wide

function element(tag, className, within) {
  const made = document.createElement(tag);
  made.className = className;
  if (within) within.append(made);
  return made;
}

// One page each of a PDF file: `size` in points, and what draws it and lays its text over it.
async function pdfPages(address) {
  const pdfjs = await import(`${vendor}pdf.min.mjs`);
  pdfjs.GlobalWorkerOptions.workerSrc = `${vendor}pdf.worker.min.mjs`;
  const file = await pdfjs.getDocument({
    url: address, wasmUrl: `${vendor}wasm/`, standardFontDataUrl: `${vendor}standard_fonts/`, useWorkerFetch: true,
    disableAutoFetch: true, disableStream: true, rangeChunkSize: 2 ** 18, enableXfa: false,
  }).promise;
  return {
    count: file.numPages,
    async page(number) {
      const page = await file.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      return {
        size: [width, height],
        async draw(canvas, scale) {
          const viewport = page.getViewport({ scale });
          canvas.width = viewport.width;
          canvas.height = viewport.height;
          await page.render({ canvas, viewport }).promise;
        },
        async write(container, scale) {
          const layer = new pdfjs.TextLayer({ textContentSource: page.streamTextContent(), container, viewport: page.getViewport({ scale }) });
          await layer.render();
        },
      };
    },
  };
}

// The same of pictures, two pixels to the point; their text is not laid over them.
function picturePages(address, count) {
  return {
    count,
    async page(number) {
      const picture = new Image();
      picture.src = `${address}${number}.png`;
      await picture.decode();
      return {
        size: [picture.naturalWidth / 2, picture.naturalHeight / 2],
        async draw(canvas, scale) {
          canvas.width = picture.naturalWidth / 2 * scale;
          canvas.height = picture.naturalHeight / 2 * scale;
          canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
        },
        async write() {},
      };
    },
  };
}

export class Viewer {
  // Show the document of a section `data-whole`, at its page; null if it is no longer `wanted` once it is there. Rejects where
  // the document cannot be opened.
  static async open(section, wanted) {
    const { file, pictures, pages } = section.dataset;
    const source = file ? await pdfPages(file) : picturePages(pictures, Number(pages));
    const number = Math.min(Number(section.dataset.page) || 1, source.count), { size } = await source.page(number);
    return wanted() ? new Viewer(section, source, size) : null;
  }

  constructor(section, source, size) {
    this.source = source;
    this.size = size;  // of a page that is not known yet
    this.key = section.dataset.source;
    this.drawn = new Set();
    this.element = element("div", "viewer");
    const list = element("nav", "thumbs", this.element);
    list.setAttribute("aria-label", "Pages of the document");
    this.pane = element("div", "leaves", this.element);
    this.pane.tabIndex = 0;
    this.pane.setAttribute("role", "region");
    this.pane.setAttribute("aria-label", "The document; it scrolls");
    this.leaves = [];
    this.thumbs = [];
    for (let number = 1; number <= source.count; number++) {
      const leaf = element("div", "leaf", this.pane);
      leaf.dataset.page = number;
      this.leaves.push(leaf);
      const thumb = element("button", "thumb", list);
      thumb.type = "button";
      thumb.dataset.page = number;
      thumb.setAttribute("aria-label", `Page ${number}`);
      thumb.addEventListener("click", () => this.go(number));
      this.thumbs.push(thumb);
    }
    this.near = new IntersectionObserver((seen) => this.drawAll(seen), { root: this.pane, rootMargin: AHEAD });
    this.small = new IntersectionObserver((seen) => seen.forEach((one) => one.isIntersecting && this.sketch(one.target)), { root: list, rootMargin: "200px" });
    this.pane.addEventListener("scroll", () => { if (!this.asked) { this.asked = true; requestAnimationFrame(() => { this.asked = false; this.tell(); }); } });
    this.pane.addEventListener("wheel", (event) => { if (event.ctrlKey) { event.preventDefault(); this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1); } }, { passive: false });
    this.attach(section);
    this.fit();
    this.leaves.forEach((leaf) => this.near.observe(leaf));
    this.show();
  }

  // Stand in a section, in place of its one page, with what that frames.
  attach(section) {
    this.section = section;
    const sheet = section.querySelector(".sheet");
    sheet.hidden = true;
    sheet.after(this.element);
    this.places = JSON.parse(section.dataset.places);
    this.leaves.forEach((leaf) => leaf.querySelector("svg") && this.frame(leaf));
  }

  // Go to what the section cites, or to its page.
  show() {
    const number = Number(this.section.dataset.page) || 1;
    this.go(number, this.places.find((place) => place[0] === number));
  }

  go(number, place) {
    const leaf = this.leaves[Math.max(1, Math.min(number, this.leaves.length)) - 1];
    const above = place ? place[2] * this.scale - this.pane.clientHeight / 3 : -6;
    this.pane.scrollTop = leaf.offsetTop + above;
    if (place) this.pane.scrollLeft = leaf.offsetLeft + place[3] * this.scale + 24 - this.pane.clientWidth;
    this.tell(number);
  }

  get page() { return Number(this.section.dataset.page); }

  // Tell the section which page is looked at: the one across the upper third of the window.
  tell(number) {
    const line = this.pane.scrollTop + this.pane.clientHeight / 3;
    number = number || Number((this.leaves.findLast((leaf) => leaf.offsetTop <= line) || this.leaves[0]).dataset.page);
    this.section.dataset.page = number;
    const count = this.section.querySelector(".tools .count") || this.section.querySelector("h2.count");
    if (count) count.textContent = count.tagName === "H2" ? `Page ${number} of ${this.source.count}` : `${number} of ${this.source.count}`;
    for (const thumb of this.thumbs) thumb.removeAttribute("aria-current");
    const thumb = this.thumbs[number - 1], list = thumb.parentElement;
    thumb.setAttribute("aria-current", "true");
    if (thumb.offsetTop < list.scrollTop || thumb.offsetTop + thumb.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = thumb.offsetTop - list.clientHeight / 2;
  }

  fit() { this.resize((this.pane.clientWidth - 16) / this.size[0]); }

  zoom(by) { this.resize(this.scale * by); }

  resize(scale) {
    const kept = this.scale ? this.scale : 0;
    this.scale = Math.min(Math.max(scale, 0.2), 6);
    const along = [this.pane.scrollLeft, this.pane.scrollTop].map((at, axis) => at + (axis ? this.pane.clientHeight : this.pane.clientWidth) / 2);
    this.leaves.forEach((leaf) => this.measure(leaf));
    for (const leaf of [...this.drawn]) this.clear(leaf);
    if (kept) {
      this.pane.scrollLeft = along[0] * this.scale / kept - this.pane.clientWidth / 2;
      this.pane.scrollTop = along[1] * this.scale / kept - this.pane.clientHeight / 2;
    }
    for (const leaf of this.leaves) { this.near.unobserve(leaf); this.near.observe(leaf); }
  }

  measure(leaf) {
    const [width, height] = leaf.points || this.size;
    leaf.style.width = `${width * this.scale}px`;
    leaf.style.height = `${height * this.scale}px`;
    leaf.style.setProperty("--total-scale-factor", this.scale);
  }

  clear(leaf) {
    this.drawn.delete(leaf);
    leaf.replaceChildren();
  }

  // Draw what came near, the page that is looked at before its neighbours, and small pages when none of these is waited for.
  async drawAll(seen) {
    const far = (leaf) => Math.abs(leaf.dataset.page - this.page);
    const leaves = seen.filter((each) => each.isIntersecting).map((each) => each.target).sort((a, b) => far(a) - far(b));
    for (const leaf of leaves) await this.draw(leaf).catch(console.error);
    if (!leaves.length || this.sketched) return;
    this.sketched = true;
    this.thumbs.forEach((thumb) => this.small.observe(thumb));
  }

  async draw(leaf) {
    if (this.drawn.has(leaf)) { this.drawn.delete(leaf); this.drawn.add(leaf); return; }
    this.drawn.add(leaf);
    const scale = this.scale, page = await this.source.page(Number(leaf.dataset.page));
    leaf.points = page.size;
    if (scale !== this.scale) return;
    this.measure(leaf);
    const canvas = element("canvas", ""), text = element("div", "textLayer");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Page ${leaf.dataset.page}`);
    leaf.replaceChildren(canvas, text);
    this.frame(leaf);
    await page.draw(canvas, Math.min(scale * devicePixelRatio, 6));
    if (scale === this.scale && canvas.isConnected) await page.write(text, scale);
    leaf.dataset.drawn = "yes";
    const far = [...this.drawn].filter((one) => Math.abs(one.dataset.page - this.page) > KEPT / 2);
    if (this.drawn.size > KEPT) far.slice(0, this.drawn.size - KEPT).forEach((one) => this.clear(one));
  }

  // The places of a page that are cited, in points over its picture.
  frame(leaf) {
    const [width, height] = leaf.points, svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("aria-hidden", "true");
    for (const [page, x0, top, x1, bottom] of this.places) {
      if (page !== Number(leaf.dataset.page)) continue;
      const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      for (const [name, value] of Object.entries({ class: "frame", x: x0 - 2, y: top - 2, width: x1 - x0 + 4, height: bottom - top + 4, rx: 1.5 })) box.setAttribute(name, value);
      svg.append(box);
    }
    const old = leaf.querySelector("svg");
    if (old) old.replaceWith(svg); else leaf.append(svg);
  }

  async sketch(thumb) {
    this.small.unobserve(thumb);
    const page = await this.source.page(Number(thumb.dataset.page)), canvas = element("canvas", "", thumb);
    canvas.setAttribute("aria-hidden", "true");
    await page.draw(canvas, SMALL * devicePixelRatio / page.size[0]);
    element("span", "", thumb).textContent = thumb.dataset.page;
  }

  close() {
    this.near.disconnect();
    this.small.disconnect();
    this.element.remove();
    const sheet = this.section.querySelector(".sheet");
    if (sheet) sheet.hidden = false;
  }
}
