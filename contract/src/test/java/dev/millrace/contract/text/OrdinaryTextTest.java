package dev.millrace.contract.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What owners are to read comes through as it was written. */
class OrdinaryTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "step 3/20",
        "Step 3 of 20 (15%)",
        "CUDA out of memory. Tried to allocate 2.00 GiB",
        "CUDA error: device-side assert triggered (c10::Error at allocator)",
        "black-forest-labs/flux-dev",
        "stability-ai/sdxl:39ed52f2a78e934b3ba6e2a89f5b1c712de7dfea535525255b1aa35c5565e08b",
        "deepseek-ai/DeepSeek-R1-Distill-Llama-70B",
        "Qwen/Qwen2.5-VL-72B-Instruct-AWQ is not loaded",
        "sketch/poster",
        "KSampler (Advanced) #12",
        "Executing node 7: VAEDecodeTiled",
        "and/or, he/she, km/h, w/o, n/a, I/O, TCP/IP, A/B, 24/7",
        "Started at 12:30:45, finished at 12:31:02.123",
        "2026-11-18T09:15:13Z",
        "ratio 16:9, seed:12345, width:512, size=1024x1024",
        "The width must be a multiple of 8.",
        "image.png has 4096 x 4096 pixels, 1,234,567 bytes",
        "Value not in list: ckpt_name: 'sdxl_base_1.0.safetensors' not in []",
        "ValueError: expected 3 channels, got 4 (shape [1, 4, 64, 64])",
        "torch.cuda.OutOfMemoryError: tried to allocate 20.00 MiB",
        "module 'torchvision.io' has no attribute 'read_image'",
        "AttributeError: 'NoneType' object has no attribute 'shape'",
        "max_tokens: 4096, tokens=512, prompt_tokens: 11",
        "The context has 8192 tokens, and token 4096 was the last",
        "Unexpected token: } at position 17",
        "Please set tokenizer.pad_token = tokenizer.eos_token",
        "password: must be at least 8 characters",
        "Wrong password for this archive",
        "The secret of good coffee: patience and fresh beans",
        "He is the bearer of bad news; basic usage is free",
        "A key change in the second verse, token by token",
        "Bearer token expected",
        "hf_transfer is not installed; hf_hub_download was used",
        "sk-learn and scikit-learn 1.5",
        "A risk-averse, task-based, desk-bound clerk",
        "/imagine a red fox in the snow",
        "Use / to search, or 10 /min at most",
        "yes / no / maybe",
        "1/2 + 1/4 = 3/4",
        "e.g. this, i.e. that, etc.",
        "Node.js 22.1.0, Python 3.12.4, driver 535.104.05, ASP.NET 8",
        "version 1.2.3.4 is too old",
        "std::vector, at::Tensor, a::b",
        "C# and C++: both work. Really? Yes!",
        "50% off — \"today only\" — it's 5 o'clock; ok…",
        "#hashtag @mention (not an address) user@home",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 differs",
        "job 01890a5d-ac96-774b-bcce-b302099a8057 was canceled",
        "Ein roter Fuchs über den Dächern von Köln, größer als je zuvor",
        "Un zorro rojo en la nieve, ¿qué tal? ¡Muy bien!",
        "Лисица в снегу, акварель, 4K",
        "赤い狐が雪の中を走る。高画質、8K",
        "一只红色的狐狸，水彩画（高清）",
        "눈 속의 붉은 여우, 수채화",
        "ثعلب أحمر في الثلج",
        "שועל אדום בשלג",
        "बर्फ में लाल लोमड़ी, क्‍षमा",
        "می‌خواهم یک روباه قرمز",
        "หมาจิ้งจอกแดงในหิมะ",
        "👩‍🚀 and 👨‍👩‍👧‍👦 with ❤️‍🔥, 1️⃣ 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "naïve café, Ångström, Dvořák, İstanbul, Việt Nam",
        "math: x² + y² ≤ 1, √2 ≈ 1.414, α → β",
        "[Errno 28] No space left on device",
        "The model did not answer in JSON.",
        "The service broke down: high demand, please retry",
        "Line one  with two spaces",
        "StableDiffusionXLInpaintPipeline expects a mask",
        "docker run -u 1000:1000, sort -u names, -u is an option",
        "passwd asks twice; passwd has no entry for this user",
        "Models/makers and models/flux-dev, checkpoints/hour, vae/unet",
        "sdxl_base_1.0.safetensors and v1-5-pruned.ckpt are models",
        "stabilityai/sdxl-vae has no weights/bias pair",
        "ＡＢＣ 株式会社、１２３円（税込）：比率１６：９",
        "全角：ＰＡＳＳＷＯＲＤ を変更してください",
        "x² is ½ of 2x², № 7, ﬁne, 𝐛𝐨𝐥𝐝",
      })
  void an_ordinary_sentence_is_not_changed(String text) {
    assertThat(OwnerText.line(text)).isEqualTo(text);
    assertThat(OwnerText.lines(text, 1_000)).isEqualTo(text);
  }
}
